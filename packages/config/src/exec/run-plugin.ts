import { type ChildProcess, spawn } from "node:child_process";
import { type Clock, KubeError } from "@typekube/core";
import type { Environment } from "../load-kubeconfig.js";
import { withoutSecrets } from "./harmless-text.js";
import { asFailure } from "./plugin-failure.js";

/** Bytes that a plugin may print; a token with a certificate and its key is about 10 KiB. */
export const maxExecOutputBytes: number = 1024 * 1024;

/** Milliseconds between asking a plugin to end and ending it. */
export const execKillGraceMs = 2_000;

/** Characters of standard error that are kept, the last ones. */
const maxErrorChars = 16 * 1024;

/** One run of a plugin. */
export interface PluginRun {
  /** Absolute path of the program. */
  readonly path: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Environment;
  /** Texts that must not show in errors: what its kubeconfig puts into its environment. */
  readonly secrets: readonly string[];
  /** Whether it has the terminal, for input and for what it says to people. */
  readonly interactive: boolean;
  /** Milliseconds that it may take; 0 is no limit. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plugin, without a shell, and gives what it printed. It is asked to end (SIGTERM) and soon after made to (SIGKILL)
 * when it takes or prints too much or when nobody waits for it any more.
 *
 * @throws {KubeError} `Config` when it cannot be run or fails, `DeadlineExceeded`, `TooLarge`, or the signal's reason.
 */
export function runPlugin(run: PluginRun): Promise<string> {
  const { path, args, env, interactive, timeoutMs, clock, signal } = run;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const child = spawn(path, args, {
      env: { ...env },
      shell: false,
      windowsHide: true,
      stdio: [interactive ? "inherit" : "ignore", "pipe", interactive ? "inherit" : "pipe"],
    });
    const output: Buffer[] = [];
    let length = 0;
    let said = "";
    let ended: { readonly reason: unknown } | undefined;

    const printed = () => Buffer.concat(output).toString("utf8");
    // Of one that waited for a person in vain, too: the address where to log in, perhaps.
    const shown = () => withoutSecrets(said, [...run.secrets, ...wordsOf(printed())]) || undefined;
    const end = (reason: unknown): void => {
      if (!ended) {
        ended = { reason };
        kill(child, clock);
        finish();
        reject(reason);
      }
    };
    const onAbort = (): void => end(signal.reason);
    const cancelTimeout =
      timeoutMs > 0
        ? clock.schedule(timeoutMs, () =>
            end(
              asFailure(
                "timeout",
                new KubeError(
                  "DeadlineExceeded",
                  `the exec plugin ${path} took longer than ${timeoutMs} ms`,
                  { hint: shown() },
                ),
              ),
            ),
          )
        : () => {};
    const finish = (): void => {
      cancelTimeout();
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });

    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
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
    child.on("error", (error: NodeJS.ErrnoException) =>
      // Not kept as the cause: it carries the arguments.
      end(
        asFailure(
          "missing",
          new KubeError(
            "Config",
            `the exec plugin ${path} cannot be run (${error.code ?? "unknown"})`,
          ),
        ),
      ),
    );
    child.on("close", (code, killedBy) => {
      if (ended) {
        return;
      }
      finish();
      if (code === 0) {
        resolve(printed());
        return;
      }
      const how = code === null ? `was ended by ${killedBy}` : `failed with exit code ${code}`;
      reject(
        asFailure(
          "exit",
          new KubeError("Config", `the exec plugin ${path} ${how}`, { hint: shown() }),
        ),
      );
    });
  });
}

function kill(child: ChildProcess, clock: Clock): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined || !child.kill("SIGTERM")) {
    return;
  }
  const cancel = clock.schedule(execKillGraceMs, () => child.kill("SIGKILL"));
  child.on("exit", cancel);
}

/** Words of a failed plugin's output that are long enough to be worth hiding. */
function wordsOf(output: string): string[] {
  return output.split(/[\s"',:{}[\]\\]+/).filter((word) => word.length >= 8);
}
