import type { PodPort, PodSession } from "../pod-handlers.js";
import type { ContainerFacts } from "./container-facts.js";
import { ContainerLog } from "./container-log.js";
import { MemoryFiles } from "./files/memory-files.js";
import { defaultMemoryLimits, type MemoryLimits } from "./files/memory-limits.js";
import { writeFirstFiles } from "./first-files.js";
import { serveHttpPage } from "./http-page.js";
import { MainProcess } from "./main-process.js";
import type { ProgramIo } from "./programs/program.js";
import { programOf, runCommand } from "./start-program.js";

/** Exit code of a process that was killed: 128 + SIGKILL. */
const killed = 137;

/** One container in memory: its files, its log, its main process. */
export class MemoryContainer {
  readonly log: ContainerLog;
  readonly #facts: ContainerFacts;
  readonly #files: MemoryFiles;
  readonly #main: MainProcess;
  readonly #runsCommand: boolean;

  constructor(facts: ContainerFacts, now: () => number, limits: MemoryLimits) {
    this.#facts = facts;
    this.#files = new MemoryFiles(facts.workingDirectory, now, limits);
    this.log = new ContainerLog(now, limits.maxLogLines ?? defaultMemoryLimits.maxLogLines);
    this.#main = new MainProcess(this.log);
    writeFirstFiles(this.#files, facts);
    const { command, hasStdin, name, namespace, pod, image } = facts;
    this.#runsCommand = programOf(command, this.#files) !== undefined;
    if (!this.#runsCommand) {
      this.log.append(`container ${name} of pod ${namespace}/${pod}: simulated in memory`);
      this.log.append(`the image ${image} does not run; cat /README describes the container`);
    } else if (!hasStdin) {
      this.#main.start(this.#runMain(noInput()));
    }
  }

  /** Runs a command. Returns its exit code; 137 when the container ends meanwhile. */
  async exec(session: PodSession): Promise<number> {
    assertRuns(session);
    const io = { files: this.#files, environment: this.#facts.environment };
    const command = runCommand(session.command, {
      ...io,
      stdin: session.stdin,
      ...outputOf(session),
    });
    return untilEnded(session, command);
  }

  /** Attaches to the main process. One that waits for its input gets that of the first session. */
  async attach(session: PodSession): Promise<number> {
    assertRuns(session);
    if (!this.#runsCommand) {
      await this.#printLog(session);
      return 0;
    }
    const main = this.#main.attach(outputOf(session), this.#runMain(session.stdin));
    return untilEnded(session, main);
  }

  /** Serves a page on a port. */
  async portForward(port: PodPort): Promise<void> {
    if (port.ended.aborted) {
      throw new Error("container not running");
    }
    await serveHttpPage(port, (line) => this.log.append(line));
  }

  #runMain(stdin: AsyncIterable<Uint8Array>) {
    const { command, environment } = this.#facts;
    return (output: Pick<ProgramIo, "stderr" | "stdout">): Promise<number> =>
      runCommand(command, { files: this.#files, environment, stdin, ...output });
  }

  /** Prints new lines of the log until the session or the container ends. Input is dropped. */
  async #printLog(session: PodSession): Promise<void> {
    const { stdout } = outputOf(session);
    const until = [session.signal, session.ended];
    drop(session.stdin).catch(() => {});
    for await (const line of this.log.read({ follow: true, tailLines: 0, until })) {
      await stdout(`${typeof line === "string" ? line : line.text}\n`);
    }
  }
}

/** @throws {Error} with the kubelet's message, for a container that has ended. */
function assertRuns({ ended, container }: PodSession): void {
  if (ended.aborted) {
    throw new Error(`container not found (${JSON.stringify(container)})`);
  }
}

/** Returns the outputs of a session. A terminal begins each line on the left. */
function outputOf({ stdout, stderr, tty }: PodSession): Pick<PodSession, "stderr" | "stdout"> {
  if (!tty) {
    return { stdout, stderr };
  }
  const shown = (data: Uint8Array | string) =>
    Buffer.from(
      Buffer.from(data as Uint8Array)
        .toString("latin1")
        .replaceAll("\n", "\r\n"),
      "latin1",
    );
  return { stdout: (data) => stdout(shown(data)), stderr: (data) => stderr(shown(data)) };
}

async function untilEnded({ ended }: PodSession, process: Promise<number>): Promise<number> {
  let onEnd = () => {};
  const end = new Promise<number>((resolve) => {
    onEnd = () => resolve(killed);
    ended.addEventListener("abort", onEnd, { once: true });
  });
  try {
    return await Promise.race([process, end]);
  } finally {
    ended.removeEventListener("abort", onEnd);
  }
}

async function* noInput(): AsyncGenerator<Uint8Array, void, undefined> {}

async function drop(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source) {
    // Nothing reads it.
  }
}
