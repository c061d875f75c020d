import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Waiters } from "../credentials/shared-run.js";
import type { Environment } from "../environment/environment.js";
import { endPlugin } from "./end-plugin.js";
import { asFailure } from "./plugin-failure.js";
import { withoutSecrets } from "./redact-output.js";
import { launchOf } from "./windows-command.js";
import { withVariables } from "./windows-system.js";

/** Bytes that a plugin may print. A token with a certificate and its key takes about 10 KiB. */
export const maxExecOutputBytes: number = 1024 * 1024;

/** Milliseconds after a plugin's exit during which we wait for processes it left behind that still hold its streams. */
export const execLeftoverMs = 1_000;

/** Characters kept from the end of standard error. */
const maxErrorChars = 16 * 1024;

/** One run of a plugin. */
export interface PluginRun {
  /** Absolute path of the program. */
  readonly path: string;
  readonly args: readonly string[];
  /** Environment of this process, passed to the plugin together with {@link variables}. */
  readonly env: Environment;
  /** Variables for the plugin only. */
  readonly variables: Environment;
  /** Texts to redact in errors: environment values from the kubeconfig, and secrets of this process's environment. */
  readonly secrets: readonly string[];
  /** `true` when the plugin uses the terminal, for input and for messages to the user. */
  readonly interactive: boolean;
  /** Timeout in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly waiters: Waiters;
}

/**
 * Runs a plugin without a shell and returns its output. When it takes too long, prints too much, or no call waits for
 * it any more, it is terminated with all processes that it started: SIGTERM, then SIGKILL. Processes that a successful
 * plugin leaves running, such as an agent that keeps a login, continue and are not waited for.
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
    // Shown after a timeout too: it may contain the login address that the user should have opened.
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
    /** Returns false when the run is over already. */
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
      // Processes left behind may keep writing. We keep reading the streams, but they no longer keep this process
      // alive.
      hold(child, false);
      if (exitCode === 0) {
        resolve(printed());
        return;
      }
      const how =
        exitCode === null ? `was killed by ${signalCode}` : `failed with exit code ${exitCode}`;
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
        ? // The plugin itself keeps the process alive while a call waits.
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
    // Waits for the plugin's own exit and output: "close" would also wait for other processes that hold its streams.
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
 * Returns true when the plugin leads a process group, so that it can be terminated with all processes that it started.
 * A plugin that uses the terminal shares it with this process and stays in its group.
 */
function leadsGroup({ interactive }: PluginRun): boolean {
  return !interactive && process.platform !== "win32";
}

/**
 * Starts the plugin.
 *
 * @throws {KubeError} `Config` when the operating system refuses at once.
 */
function start(run: PluginRun): ChildProcess {
  const { path, args, env, variables, interactive } = run;
  try {
    // Without the kubeconfig's variables: its author could otherwise choose the Windows folder.
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

/** Hints for error codes that do not explain why a plugin cannot be started. */
const startHints: Readonly<Record<string, string>> = {
  E2BIG: "its arguments and environment, with the data of the cluster, are too large",
  ERR_INVALID_ARG_VALUE:
    "an argument or an environment variable contains a NUL character, or an argument of a .cmd file a line break",
};

/** Drops the system's error as cause: it contains the arguments, or quotes an invalid one. */
function cannotBeRun(path: string, { code = "unknown" }: NodeJS.ErrnoException): KubeError {
  return asFailure(
    "missing",
    new KubeError("Config", `the exec plugin ${path} cannot be run (${code})`, {
      hint: startHints[code],
    }),
  );
}

/** Sets whether the plugin keeps this process alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const part of [child, child.stdout as Socket | null, child.stderr as Socket | null]) {
    if (isHeld) {
      part?.ref();
    } else {
      part?.unref();
    }
  }
}

/** Returns the words of a failed plugin's output that are long enough to be redacted. */
function wordsOf(output: string): string[] {
  return output.split(/[\s"',:{}[\]\\]+/).filter((word) => word.length >= 8);
}
