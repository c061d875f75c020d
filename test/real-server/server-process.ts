import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Bytes of output that are kept for the message of a failed start. */
const maxOutput = 16 * 1024;

/** For `/bin/sh`, bash or not: ends the process named in `$0` when the pipe on its standard input closes: the test process is gone, however it ended. */
const watchdogScript = 'cat >/dev/null; kill -9 "$0"';

const living = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of living) {
    child.kill("SIGKILL");
  }
});

/** A program that runs beside the tests. It never outlives the test process. */
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

  /** What the program wrote last, both streams together. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    const { exitCode, signalCode, pid } = this.#child;
    return (
      this.#problem === undefined && pid !== undefined && exitCode === null && signalCode === null
    );
  }

  /** Stops the program's time. Resolves when its last thread stands still: until then it may still answer. */
  async pause(): Promise<void> {
    this.#child.kill("SIGSTOP");
    while (this.isRunning && !this.#isStopped()) {
      await setImmediate();
    }
  }

  /** Lets the program's time go on. */
  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Only Linux tells; elsewhere the signal is trusted. */
  #isStopped(): boolean {
    const folder = `/proc/${this.#child.pid}/task`;
    if (!existsSync(folder)) {
      return true;
    }
    try {
      // The name stands in parentheses before the state, and may hold anything.
      return readdirSync(folder).every((thread) =>
        /^.*\) T/s.test(readFileSync(`${folder}/${thread}/stat`, "utf8")),
      );
    } catch {
      // A thread has ended between the two looks.
      return false;
    }
  }

  /** Asks the program to end in its own time. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Ends the program at once and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.isRunning) {
      const gone = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await gone;
    }
  }

  /** The error for a program that does not come up. */
  failure(why: string): Error {
    return new Error(`${this.name} ${why}\n${this.#output}`, { cause: this.#problem });
  }

  #watchdog(): ChildProcess | undefined {
    if (this.#child.pid === undefined) {
      return undefined;
    }
    const watchdog = spawn("/bin/sh", ["-c", watchdogScript, String(this.#child.pid)], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // a Ctrl-C of the terminal must not end it before its work
    });
    watchdog.on("error", () => {}); // no shell: the exit handler remains
    watchdog.unref();
    return watchdog;
  }
}
