import { KubeError } from "@typekube/core";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import type { World } from "../world/world.js";
import { realTime } from "./quiet.js";
import { moreResources, realResources } from "./real-resources.js";
import type { RunLog } from "./run-log.js";
import type { RunTime } from "./run-time.js";
import type { StepWait } from "./step-wait.js";
import type { UserClient } from "./user-client.js";

/** Real milliseconds to wait for a step that may load code, before virtual time passes for it. */
const slowStepWaits = 5;
/** The same for a step that needs no virtual time without faults. */
const quickStepWaits = 100;
/** Most real milliseconds for a step that waits in real time, after all virtual time is over. */
const longestRealMs = 1_000;
/** Real milliseconds between two looks at such a step. */
const realLookMs = 10;

/** Parts of {@link UserSteps}. */
export interface UserStepsParts<X extends Externals> {
  readonly client: UserClient;
  readonly scenario: Scenario<X>;
  /** The steps that happen: numbers from 1. */
  readonly steps: readonly number[];
  readonly world: World<X>;
  readonly time: RunTime;
  readonly log: RunLog;
  /** Steps that need virtual time without faults; `undefined` while that is not known. */
  readonly slowSteps: ReadonlySet<number> | undefined;
  /** Begins a wait for a step. */
  readonly wait: () => StepWait;
  /** Returns the error with which processes of the operator end again and again; `undefined` when they don't. */
  readonly endlessError: () => string | undefined;
  /** True in the run without faults: a step that never ends is the scenario's fault there. */
  readonly isReference: boolean;
  /** Called when a step begins. */
  readonly onBegin: (step: number) => void;
  /** Called when a step is done. */
  readonly onTaken: () => void;
}

/** Takes the steps of the user in one run: in their order, some of them early. */
export class UserSteps<X extends Externals> {
  readonly #parts: UserStepsParts<X>;
  /** Steps for which virtual time passed. */
  readonly slow: Set<number> = new Set();
  /** Steps that waited for virtual time, and for nothing else. */
  readonly waiting: Set<number> = new Set();
  /** The longest wait of a step, in milliseconds. */
  longestWaitMs = 0;
  /** True when a step that waited went on only because the operator looked again. */
  wasLate = false;
  readonly #early: Set<number> = new Set();
  /** The last step that has begun. */
  #last = 0;
  /** The early step in progress. */
  #waiting: number | undefined;

  constructor(parts: UserStepsParts<X>) {
    this.#parts = parts;
  }

  /** Takes a step, unless it was taken early, and lets time pass until it is done. */
  async take(step: number): Promise<void> {
    if (this.#early.has(step)) {
      return;
    }
    let isDone = false;
    const resources = realResources();
    const taken = this.#act(step)
      .catch((error: unknown) => this.#giveUp(step, error))
      .finally(() => {
        isDone = true;
      });
    const { time, slowSteps, log } = this.#parts;
    const waits = slowSteps?.has(step) === false ? quickStepWaits : slowStepWaits;
    let wait: StepWait | undefined;
    for (let turns = 0; !log.isOver; turns++) {
      await time.quiet();
      if (isDone) {
        break;
      }
      // A step may load code, which takes real time.
      if (turns < waits && !time.isPolled) {
        await realTime(1);
        time.stir();
        continue;
      }
      this.slow.add(step);
      this.endWaiting();
      if (wait === undefined) {
        wait = this.#parts.wait();
        if (moreResources(resources).length === 0) {
          this.waiting.add(step);
        }
      }
      // The wait may end effects of faults.
      const next = wait.next();
      time.stir();
      if (next !== undefined) {
        await time.advanceTo(next);
        continue;
      }
      const held = await this.#realWait(resources, () => isDone);
      if (!isDone) {
        this.#noteStuck(step, wait.isGivenUp ? "the operator wakes all the time" : held);
      }
    }
    time.hurry(false);
    this.longestWaitMs = Math.max(this.longestWaitMs, wait?.waitedMs ?? 0);
    this.wasLate ||= isDone && wait?.isLate === true;
    return isDone ? taken : undefined;
  }

  /** Waits for a step that looks in real time. Returns a reason to give it up: it waits for something else than timers. */
  async #realWait(
    before: ReadonlyMap<string, number>,
    isDone: () => boolean,
  ): Promise<string | undefined> {
    for (let ms = 0; ms < longestRealMs && !isDone(); ms += realLookMs) {
      if (moreResources(before).length === 0) {
        return undefined;
      }
      await realTime(realLookMs);
      this.#parts.time.stir();
      await this.#parts.time.quiet();
    }
    const type = moreResources(before).find((one) => one !== "Timeout");
    return type && `it waits for I/O of the process: ${type}`;
  }

  /** Records that a step never ends. It is the operator's fault, unless there is another reason. */
  #noteStuck(step: number, reason: string | undefined): void {
    const { isReference, log, endlessError } = this.#parts;
    if (reason !== undefined) {
      this.#giveUp(step, new Error(reason));
    } else if (isReference) {
      this.#giveUp(step, new KubeError("DeadlineExceeded", "it does not end"));
    } else if (this.#last > step) {
      this.#giveUp(step, new Error("it waits, and the next step came before its end"));
    } else {
      const error = endlessError();
      const why = error === undefined ? "" : `: the operator ends again and again: ${error}`;
      log.failStuck(
        `the step "${this.#nameOf(step)}" waits for something that never happens${why}`,
      );
    }
  }

  /** Returns whether a step is the next one. Steps keep their order: other faults may have moved a call to before an earlier step. */
  isNext(step: number): boolean {
    return this.#parts.steps.find((one) => one > this.#last) === step;
  }

  /** Takes the next step before a call of the operator, which waits for it. */
  async takeEarly(step: number): Promise<void> {
    this.#early.add(step);
    this.#waiting = step;
    try {
      await this.#act(step);
    } catch (error) {
      this.#giveUp(step, error);
    }
    this.#waiting = undefined;
  }

  /** Ends the run if an early step waits for the call before which it happens. Call it when nothing goes on. */
  endWaiting(): void {
    if (this.#waiting !== undefined) {
      this.#giveUp(this.#waiting, new Error("it waits for the call before which it happens"));
    }
  }

  async #act(step: number): Promise<void> {
    const { client, scenario, world, log, onBegin, onTaken } = this.#parts;
    const name = this.#nameOf(step);
    this.#last = Math.max(this.#last, step);
    onBegin(this.#last);
    log.add({ type: "step", step, name });
    await scenario.steps[name]?.(await client.get(), world);
    onTaken();
  }

  /** Ends the run: what happened before leaves nothing for a step to do. */
  #giveUp(step: number, error: unknown): void {
    const { log, isReference } = this.#parts;
    const message = error instanceof Error ? error.message : String(error);
    const isTimeout = error instanceof KubeError && error.code === "DeadlineExceeded";
    const advice =
      isTimeout && !isReference
        ? "; timeoutMs: Infinity shows whether the operator gets there"
        : "";
    log.add({ type: "note", text: `step ${step} fails: ${message}` });
    log.impossible = `${this.#nameOf(step)}: ${message}${advice}`;
    log.failedStep = step;
  }

  #nameOf(step: number): string {
    return Object.keys(this.#parts.scenario.steps)[step - 1] ?? "";
  }
}
