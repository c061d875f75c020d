import { KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { ApiServer } from "../../../api-server/api-server.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import type { World } from "../world/world.js";
import { realTime } from "./quiet.js";
import type { RunLog } from "./run-log.js";
import type { RunTime } from "./run-time.js";

/** Real milliseconds to wait for a step that may load code, before virtual time passes for it. */
const slowStepWaits = 5;
/** The same for a step that needs no virtual time without faults. */
const quickStepWaits = 100;
/** Milliseconds of the run's clock in which a step must end. */
const longestStepMs = 600_000;

/** Parts of {@link UserSteps}. */
export interface UserStepsParts<X extends Externals> {
  readonly api: ApiServer<VirtualClock>;
  readonly scenario: Scenario<X>;
  /** The steps that happen: numbers from 1. */
  readonly steps: readonly number[];
  readonly world: World<X>;
  readonly time: RunTime;
  readonly log: RunLog;
  /** Steps that need virtual time without faults; `undefined` while that is not known. */
  readonly slowSteps: ReadonlySet<number> | undefined;
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
  readonly #early: Set<number> = new Set();
  /** The last step that has begun. */
  #last = 0;
  /** The early step in progress. */
  #waiting: number | undefined;
  #user: Client | undefined;

  constructor(parts: UserStepsParts<X>) {
    this.#parts = parts;
  }

  /** Takes a step, unless it was taken early, and lets time pass until it is done. */
  async take(step: number): Promise<void> {
    if (this.#early.has(step)) {
      return;
    }
    let isDone = false;
    const taken = this.#act(step)
      .catch((error: unknown) => this.#giveUp(step, error))
      .finally(() => {
        isDone = true;
      });
    const { time, slowSteps } = this.#parts;
    const waits = slowSteps?.has(step) === false ? quickStepWaits : slowStepWaits;
    const end = time.now + longestStepMs;
    for (let turns = 0; ; turns++) {
      await time.quiet();
      const next = time.nextTimer;
      if (isDone) {
        return taken;
      }
      // A step may load code, which takes real time.
      if (turns < waits) {
        await realTime(1);
        continue;
      }
      this.slow.add(step);
      if (next === undefined || next > end) {
        this.#giveUp(step, new KubeError("DeadlineExceeded", "it does not end"));
        return undefined;
      }
      await time.advanceTo(next);
    }
  }

  /** Takes a step before a call of the operator, which waits for it. */
  async takeEarly(step: number): Promise<void> {
    // Steps keep their order: other faults may have moved this call to before an earlier step.
    if (this.#parts.steps.find((one) => one > this.#last) !== step) {
      return;
    }
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
    const { api, scenario, world, log, onBegin, onTaken } = this.#parts;
    const name = this.#nameOf(step);
    this.#last = Math.max(this.#last, step);
    onBegin(this.#last);
    log.add({ type: "step", step, name });
    this.#user ??= await api.client({ userAgent: "user" });
    await scenario.steps[name]?.(this.#user, world);
    onTaken();
  }

  /** Ends the run: what happened before leaves nothing for a step to do. */
  #giveUp(step: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log.impossible = `${this.#nameOf(step)}: ${message}`;
  }

  #nameOf(step: number): string {
    return Object.keys(this.#parts.scenario.steps)[step - 1] ?? "";
  }
}
