import type { Controller } from "@typekube/controller";
import { createManager, type RunningManager } from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpSend } from "@typekube/core/internal";
import { retry } from "@typekube/transport/internal";
import type { Client } from "typekube";
import type { ApiServer } from "../../../api-server/api-server.js";
import { connectInProcess } from "../../../api-server/client.js";
import { serverParts } from "../../../api-server/server-parts.js";
import { seededRandom } from "../../../objects/random.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import { type RequestFacts, requestFacts } from "../record/call.js";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import { gatedExternals } from "./external-gate.js";
import { type CallFate, OperatorProcess } from "./operator-process.js";
import { isControllers, wrongReturn } from "./returned.js";
import type { RunLog } from "./run-log.js";

/** Milliseconds until a process that ended by itself starts again; doubled each time. */
const restartMs = 1_000;
/** Longest time until then, in milliseconds. (the kubelet's back-off) */
const longestRestartMs = 300_000;

const runIsOver = new KubeError("Aborted", "the run is over");

/** Those of a transport by default. */
const retries = { maxRetries: 10, timeoutMs: 300_000 };

/** Parts of {@link Processes}. */
export interface ProcessesParts<X extends Externals> {
  readonly api: ApiServer<VirtualClock>;
  readonly scenario: Scenario<X>;
  readonly externals: X;
  readonly seed: number;
  readonly log: RunLog;
  /** Decides what happens to a call. */
  readonly fateOf: (
    process: OperatorProcess,
    facts: RequestFacts,
    request?: HttpRequest,
  ) => CallFate;
  /** Returns the transport of a process, which is observed when it writes Leases. */
  readonly observed: (process: string, send: HttpSend) => HttpSend;
  /** Called when a process is gone. */
  readonly onGone: (process: OperatorProcess) => void;
  /** Called before a timer of a process fires, with the number of those within one millisecond. */
  readonly onTimer: (process: OperatorProcess, atOnce: number) => void;
  /** Milliseconds after which a clock that was set back is right again. */
  readonly wrongClockMs: number;
}

/** The processes of the operator in one run: one after the other, or two while one of them stands still. */
export class Processes<X extends Externals> {
  /** The errors with which processes ended by themselves. */
  readonly ends: string[] = [];
  /** Number of processes that ended by themselves without an error. */
  quits = 0;
  /** The error of an operator that returns something else than controllers, a promise or nothing. */
  refused: KubeError | undefined;
  /** The value with which the promise of the last such process ended. */
  returned: unknown;
  /** The error with which the last process ended, while the next one is not started yet. */
  failed: string | undefined;
  /** Number of clocks that were set right again. */
  recoveries = 0;
  readonly #parts: ProcessesParts<X>;
  readonly #all: Map<string, OperatorProcess> = new Map();
  readonly #managers: RunningManager[] = [];
  #due: "next step" | "now" | undefined = "now";
  #isStarting = false;
  #hasSteps = true;
  #restarts = 0;
  /** Processes that start again after a while. */
  readonly #restarting: Set<object> = new Set();
  #paused: { readonly process: OperatorProcess; readonly sinceMs: number } | undefined;

  constructor(parts: ProcessesParts<X>) {
    this.#parts = parts;
  }

  /** True while a process is being set up. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** Number of processes that have been started. */
  get starts(): number {
    return this.#all.size;
  }

  /** Returns what is still to happen: timers of the processes that run, and processes that start again. */
  pending(): object[] {
    const timers = [...this.#all.values()].flatMap(({ clock }) => [...clock.timers]);
    return [...timers, ...this.#restarting];
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  isRunning(name: string): boolean {
    return this.#all.get(name)?.isRunning === true;
  }

  /** Starts a process that is due. */
  startDue(): void {
    if (this.#due === "now" && !this.#isStarting) {
      this.#due = undefined;
      void this.#run();
    }
  }

  /** Lets a process start that waits for a step. */
  stepTaken(): void {
    this.#due &&= "now";
  }

  /** Lets processes start that wait for a step: there is no further one. */
  noMoreSteps(): void {
    this.#hasSteps = false;
    this.stepTaken();
  }

  /** True while a process waits for the next user step before it starts. */
  get isDown(): boolean {
    return this.#due === "next step";
  }

  /** Starts another process after a crash: at once, or after the next step, if there is one. */
  replace(isLate: boolean): void {
    this.#due = isLate && this.#hasSteps ? "next step" : "now";
  }

  /** Lets the clock of a process jump. One that was set back is right again after a while. */
  jump(process: OperatorProcess, ms: number): void {
    process.clock.jump(ms);
    if (ms < 0) {
      const { api, log, wrongClockMs } = this.#parts;
      api.clock.schedule(wrongClockMs, () => {
        if (!process.isGone) {
          process.clock.jump(-ms);
          this.recoveries += 1;
          log.add({ type: "recovery", text: `the clock of ${process.name} is right again` });
        }
      });
    }
  }

  /** Ends a process without a sign. */
  crash(process: OperatorProcess): void {
    process.kill();
    this.#parts.onGone(process);
  }

  /** Lets a process stand still, and starts another one. */
  pause(process: OperatorProcess): void {
    process.pause();
    this.#paused = { process, sinceMs: this.#parts.log.atMs };
    this.#due = "now";
  }

  /** Name of the process that stands still. */
  get pausedName(): string | undefined {
    return this.#paused?.process.name;
  }

  /** Milliseconds for which a process has stood still; 0 when none does. */
  get pausedMs(): number {
    return this.#paused === undefined ? 0 : this.#parts.log.atMs - this.#paused.sinceMs;
  }

  /** Lets the process that stands still continue. Returns whether there was one. */
  resume(): boolean {
    const paused = this.#paused;
    this.#paused = undefined;
    if (paused !== undefined) {
      const { name } = paused.process;
      this.#parts.log.add({ type: "process", process: name, text: "continues" });
      paused.process.resume();
    }
    return paused !== undefined;
  }

  /** Ends all processes, without waiting for anything. */
  endAll(): void {
    for (const process of this.#all.values()) {
      process.kill();
      process.ending.abort(runIsOver);
      this.#parts.onGone(process);
    }
    for (const manager of this.#managers) {
      manager.abandon();
    }
  }

  /** Runs one process until its end. */
  async #run(): Promise<void> {
    this.#isStarting = true;
    this.failed = undefined;
    const { api, scenario, externals, seed, log, fateOf } = this.#parts;
    const number = this.#all.size + 1;
    const process: OperatorProcess = new OperatorProcess(`operator-${number}`, api.clock, {
      onError: (error) => this.#broke(process, error),
      onTimer: (atOnce) => this.#parts.onTimer(process, atOnce),
    });
    const { name, clock, ending } = process;
    this.#all.set(name, process);
    if (number > 1) {
      log.add({ type: "process", process: name, text: "starts" });
    }
    const user = { name, groups: ["system:masters", "system:authenticated"] };
    const sendAs = this.#parts.observed(name, serverParts(api).sendAs(user));
    const once = process.transport(sendAs, (request) =>
      fateOf(process, requestFacts(request), request),
    );
    // As the transport over sockets does: what the server asks to repeat is repeated, and reads that broke.
    const send = retry({ ...retries, clock, random: () => 0 })(once);
    const client = await connectInProcess(
      { send, server: api.server, clock },
      { userAgent: "operator" },
    );
    this.#isStarting = false;
    try {
      const started: unknown = scenario.operator({
        client,
        clock,
        random: seededRandom(seed + number),
        identity: name,
        signal: ending.signal,
        externals: gatedExternals(externals, process, (facts) => fateOf(process, facts)),
      });
      this.refused ??= wrongReturn(started);
      const controllers: unknown = await started;
      if (this.refused === undefined && isControllers(controllers)) {
        await this.#manage(process, client, controllers);
      }
      this.returned = controllers;
      this.quits += process.isGone ? 0 : 1;
      this.#ended(process, "");
    } catch (error) {
      this.#broke(process, error);
    }
  }

  /** Ends a process with an error. */
  #broke(process: OperatorProcess, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!process.isGone) {
      this.ends.push(message);
      this.failed = message;
    }
    this.#ended(process, `: ${message}`);
  }

  /** Runs controllers until their manager ends. */
  async #manage(
    process: OperatorProcess,
    client: Client,
    controllers: Controller | readonly Controller[],
  ): Promise<void> {
    const { scenario, log } = this.#parts;
    const { leaderElection, ...options } = scenario.manager ?? {};
    const manager = createManager(
      client,
      {
        events: "off",
        ...options,
        ...(leaderElection === undefined
          ? {}
          : { leaderElection: { identity: process.name, ...leaderElection } }),
        controllers: Array.isArray(controllers) ? controllers : [controllers as Controller],
        clock: process.clock,
        random: () => 0,
        log: () => {},
        onError: (error) => log.fail("unhandled rejection", error.message),
      },
      [],
    );
    this.#managers.push(manager);
    await manager.start();
    await manager.done;
  }

  /** Starts a process again that has ended by itself. */
  #ended(process: OperatorProcess, why: string): void {
    const { api, log } = this.#parts;
    if (process.isGone) {
      return;
    }
    log.add({ type: "process", process: process.name, text: `ends${why}` });
    this.crash(process);
    const delayMs = Math.min(longestRestartMs, restartMs * 2 ** this.#restarts);
    this.#restarts += 1;
    const restart = {};
    this.#restarting.add(restart);
    api.clock.schedule(delayMs, () => {
      this.#restarting.delete(restart);
      this.#due = "now";
    });
  }
}
