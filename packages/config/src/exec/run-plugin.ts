import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Environment } from "../load-kubeconfig.js";
import type { Waiters } from "../shared-run.js";
import { endPlugin } from "./end-plugin.js";
import { asFailure } from "./plugin-failure.js";
import { withoutSecrets } from "./redact-output.js";
import { launchOf } from "./windows-command.js";
import { withVariables } from "./windows-system.js";

/** Bytes that a plugin may print; a token with a certificate and its key is about 10 KiB. */
export const maxExecOutputBytes: number = 1024 * 1024;

/** Milliseconds from a plugin's end until what it left behind, with its streams in hand, is not waited for. */
export const execLeftoverMs = 1_000;

/** Characters of standard error that are kept, the last ones. */
const maxErrorChars = 16 * 1024;

/** One run of a plugin. */
export interface PluginRun {
  /** Absolute path of the program. */
  readonly path: string;
  readonly args: readonly string[];
  /** The environment of this process, which it gets with {@link variables}. */
  readonly env: Environment;
  /** Variables that are for it alone. */
  readonly variables: Environment;
  /** Texts that must not show in errors: what its kubeconfig puts into its environment. */
  readonly secrets: readonly string[];
  /** Whether it has the terminal, for input and for what it says to people. */
  readonly interactive: boolean;
  /** Milliseconds that it may take; 0 is no limit. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly waiters: Waiters;
}

/**
 * Runs a plugin, without a shell, and returns what it printed. When it takes too long or prints too much, or when no call waits for it
 * any more, it is ended with all that it started: SIGTERM, and soon after SIGKILL. What a plugin that succeeds leaves running, an
 * agent that keeps a login, goes on and is not waited for.
 *
 * @throws {KubeError} `Config` when it cannot be run or fails, `DeadlineExceeded`, `TooLarge`, or the signal's reason.
 */
export function runPlugin(run: PluginRun): Promise<string> {
  const { path, timeoutMs, clock, waiters } = run;
  const isGroup = leadsGroup(run);
  const { signal } = waiters;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const child = start(run);
    const output: Buffer[] = [];
    let length = 0;
    let said = "";
    let isOver = false;
    let cancelGrace = (): void => {};

    const printed = () => Buffer.concat(output).toString("utf8");
    // Of one that waited for a person in vain, too: the address where to log in, perhaps.
    const shown = () => withoutSecrets(said, [...run.secrets, ...wordsOf(printed())]) || undefined;
    const tooSlow = () =>
      asFailure(
        "timeout",
        new KubeError(
          "DeadlineExceeded",
          `the exec plugin ${path} took longer than ${timeoutMs} ms`,
          { hint: shown() },
        ),
      );
    /** False when it is over already. */
    const finish = (): boolean => {
      const isFirst = !isOver;
      isOver = true;
      cancelTimeout();
      cancelGrace();
      signal.removeEventListener("abort", onAbort);
      return isFirst;
    };
    const end = (reason: unknown): void => {
      if (finish()) {
        endPlugin(child, isGroup, clock);
        reject(reason);
      }
    };
    const settle = (): void => {
      if (!finish()) {
        return;
      }
      const { exitCode, signalCode } = child;
      // What was left behind may go on writing, and keeps nobody from ending: the streams are read on and held by nobody.
      hold(child, false);
      if (exitCode === 0) {
        resolve(printed());
        return;
      }
      const how =
        exitCode === null ? `was ended by ${signalCode}` : `failed with exit code ${exitCode}`;
      reject(
        asFailure(
          "exit",
          new KubeError("Config", `the exec plugin ${path} ${how}`, { hint: shown() }),
        ),
      );
    };
    const onAbort = (): void => end(signal.reason);
    const cancelTimeout =
      timeoutMs > 0
        ? // The plugin itself holds the process while somebody waits.
          clock.schedule(timeoutMs, () => end(tooSlow()), true)
        : () => {};
    signal.addEventListener("abort", onAbort, { once: true });
    waiters.onChange((isWaitedFor) => hold(child, isWaitedFor && !isOver));

    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (isOver) {
        return;
      }
      if (length > maxExecOutputBytes) {
        end(
          asFailure(
            "output",
            new KubeError(
              "TooLarge",
              `the exec plugin ${path} printed more than ${maxExecOutputBytes} bytes`,
            ),
          ),
        );
      } else {
        output.push(chunk);
      }
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-maxErrorChars);
    });
    child.on("error", (error) => end(cannotBeRun(path, error)));
    child.on("close", settle);
    // Both ends of its own: "close" waits also for whoever has its streams as well.
    const settleWhenDone = (): void => {
      if (child.exitCode === 0 && child.stdout?.readableEnded) {
        settle();
      }
    };
    child.stdout?.on("end", settleWhenDone);
    child.on("exit", () => {
      settleWhenDone();
      if (!isOver) {
        cancelGrace = clock.schedule(execLeftoverMs, settle);
      }
    });
  });
}

/**
 * Whether the plugin leads a process group, so that it can be ended with everything that it started. One that has the terminal
 * shares it with this process and stays in its group.
 */
function leadsGroup({ interactive }: PluginRun): boolean {
  return !interactive && process.platform !== "win32";
}

/** @throws {KubeError} `Config` when the system refuses at once. */
function start(run: PluginRun): ChildProcess {
  const { path, args, env, variables, interactive } = run;
  try {
    // Not with the kubeconfig's variables: where Windows is would be its author's to say.
    const launch = launchOf(path, args, process.platform, env);
    return spawn(launch.file, launch.args, {
      env: withVariables(env, variables, process.platform),
      shell: false,
      detached: leadsGroup(run),
      windowsHide: true,
      windowsVerbatimArguments: launch.isVerbatim,
      stdio: [interactive ? "inherit" : "ignore", "pipe", interactive ? "inherit" : "pipe"],
    });
  } catch (error) {
    throw cannotBeRun(path, error as NodeJS.ErrnoException);
  }
}

/** Why a plugin cannot be started, by the codes of those reasons that do not speak for themselves. */
const startHints: Readonly<Record<string, string>> = {
  E2BIG: "its arguments and its environment, with what it is told of the cluster, are too large",
  ERR_INVALID_ARG_VALUE:
    "an argument or a variable of its environment holds a NUL character, or an argument of a .cmd file a line break",
};

/** The system's error is not kept as the cause: it carries the arguments, or quotes what was wrong with one. */
function cannotBeRun(path: string, { code = "unknown" }: NodeJS.ErrnoException): KubeError {
  return asFailure(
    "missing",
    new KubeError("Config", `the exec plugin ${path} cannot be run (${code})`, {
      hint: startHints[code],
    }),
  );
}

/** Whether this process stays alive for it. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const part of [child, child.stdout as Socket | null, child.stderr as Socket | null]) {
    if (isHeld) {
      part?.ref();
    } else {
      part?.unref();
    }
  }
}

/** Words of a failed plugin's output that are long enough to be worth hiding. */
function wordsOf(output: string): string[] {
  return output.split(/[\s"',:{}[\]\\]+/).filter((word) => word.length >= 8);
}
