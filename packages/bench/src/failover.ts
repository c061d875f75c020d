import { type ChildProcess, fork, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { goCommand, goProgramOf } from "./go-programs.js";
import type { Launch } from "./launch.js";
import type { Measurement } from "./measurement.js";
import { inputEnvironment, type ProcessInput } from "./process-input.js";
import type { Task } from "./task.js";

/** Milliseconds until the second candidate has read the Lease several times. */
const defaultSettleMs = 5_000;

/** A line of a candidate. */
interface Line {
  /** It is a candidate, or has begun its first run. */
  readonly event: "candidate" | "run";
}

/**
 * Runs two processes of a program as candidates for one Lease, ends the leader, and measures the time until the other
 * one's first run.
 *
 * @param settleMs - milliseconds that both are candidates before.
 */
export async function measureFailover(
  launch: Launch,
  cell: string,
  input: ProcessInput,
  how: NonNullable<Task["failover"]>,
  settleMs: number = defaultSettleMs,
): Promise<Measurement> {
  const own = { ...input, variant: `failover-${randomUUID()}` };
  const candidates: Candidate[] = [];
  try {
    const leader = new Candidate(launch, cell, own);
    candidates.push(leader);
    await leader.reports("run");
    const standby = new Candidate(launch, cell, own);
    candidates.push(standby);
    await standby.reports("candidate");
    await Promise.race([
      new Promise((resolve) => setTimeout(resolve, settleMs)),
      standby.reports("run").then(() => {
        throw new Error("both candidates lead");
      }),
    ]);
    const startedAt = performance.now();
    leader.child.kill(how === "kill" ? "SIGKILL" : "SIGTERM");
    await standby.reports("run");
    return gap(performance.now() - startedAt);
  } finally {
    await Promise.all(candidates.map((candidate) => candidate.end()));
  }
}

/** Returns a measurement that has nothing but a time. */
function gap(wallMs: number): Measurement {
  const nothing = { mainMs: 0, cpuMs: 0, maxRssMb: 0, keptMb: 0, blockMs: 0 };
  return { ...nothing, wallMs, clock: "process", count: 1 };
}

/** A process of a program that is a candidate. */
class Candidate {
  readonly child: ChildProcess;
  readonly #seen = new Set<string>();
  readonly #ended: Promise<unknown>;
  #hasEnded = false;
  #errors = "";
  #onLine = () => {};

  constructor(launch: Launch, cell: string, input: ProcessInput) {
    this.child = startCandidate(launch, cell, input);
    this.#ended = once(this.child, "close").then(() => {
      this.#hasEnded = true;
      this.#onLine();
    });
    this.child.stderr?.on("data", (text: Buffer) => {
      this.#errors += text.toString();
    });
    if (this.child.stdout !== null) {
      createInterface({ input: this.child.stdout }).on("line", (line) => {
        this.#seen.add((JSON.parse(line) as Line).event);
        this.#onLine();
      });
    }
  }

  /** Resolves when the process has reported an event. */
  async reports(event: Line["event"]): Promise<void> {
    while (!this.#seen.has(event)) {
      if (this.#hasEnded) {
        throw new Error(`a candidate exited with ${this.child.exitCode}\n${this.#errors.trim()}`);
      }
      await new Promise<void>((resolve) => {
        const before = this.#onLine;
        this.#onLine = () => {
          before();
          resolve();
        };
      });
    }
  }

  async end(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#ended;
  }
}

function startCandidate(launch: Launch, cell: string, input: ProcessInput): ChildProcess {
  const program = goProgramOf(cell);
  if (program !== undefined) {
    const { file, arguments: words, env } = goCommand(program, cell, input);
    return spawn(file, words, { stdio: ["pipe", "pipe", "pipe"], env });
  }
  return fork(launch.file(`cells/${cell}`), [input.url, String(input.count), input.variant], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments],
    env: { ...process.env, ...inputEnvironment(input) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}
