import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Bytes of output kept for the error message of a failed start. */
const maxOutput = 16 * 1024;

/**
 * Script for `/bin/sh`, bash or not. Kills the process with the PID in `$0` when its standard input closes, which
 * happens when the test process is gone.
 */
const watchdogScript = 'cat >/dev/null; kill -9 "$0"';

const living = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of living) {
    child.kill("SIGKILL");
  }
});

/** A program that runs beside the tests and never outlives the test process. */
export class ServerProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  #output = "";
  #problem: Error | undefined;

  constructor(path: string, flags: readonly string[]) {
    this.name = basename(path);
    this.#child = spawn(path, flags, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-maxOutput);
      });
    }
    this.#child.on("error", (error) => {
      this.#problem = error;
    });
    living.add(this.#child);
    const watchdog = this.#watchdog();
    this.#child.once("exit", () => {
      living.delete(this.#child);
      watchdog?.kill("SIGKILL");
    });
  }

  /** Last output of the program, both streams interleaved. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    const { exitCode, signalCode, pid } = this.#child;
    return (
      this.#problem === undefined && pid !== undefined && exitCode === null && signalCode === null
    );
  }

  /** Suspends the program. Resolves when its last thread has stopped; until then it may still respond. */
  async pause(): Promise<void> {
    this.#child.kill("SIGSTOP");
    while (this.isRunning && !this.#isStopped()) {
      await setImmediate();
    }
  }

  /** Resumes the program. */
  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Returns true when all threads are stopped. Only Linux reports this; elsewhere the signal is trusted. */
  #isStopped(): boolean {
    const folder = `/proc/${this.#child.pid}/task`;
    if (!existsSync(folder)) {
      return true;
    }
    try {
      // The name precedes the state in parentheses, and may contain anything.
      return readdirSync(folder).every((thread) =>
        /^.*\) T/s.test(readFileSync(`${folder}/${thread}/stat`, "utf8")),
      );
    } catch {
      // A thread ended while the states were read.
      return false;
    }
  }

  /** Sends SIGTERM, so that the program can shut down gracefully. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Kills the program and waits until it has exited. */
  async kill(): Promise<void> {
    if (this.isRunning) {
      const gone = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await gone;
    }
  }

  /** Returns the error for a program that fails to start. */
  failure(why: string): Error {
    return new Error(`${this.name} ${why}\n${this.#output}`, { cause: this.#problem });
  }

  #watchdog(): ChildProcess | undefined {
    if (this.#child.pid === undefined) {
      return undefined;
    }
    const watchdog = spawn("/bin/sh", ["-c", watchdogScript, String(this.#child.pid)], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // a Ctrl-C in the terminal must not kill the watchdog before it has killed the program
    });
    watchdog.on("error", () => {}); // without a shell, the exit handler remains
    watchdog.unref();
    return watchdog;
  }
}
