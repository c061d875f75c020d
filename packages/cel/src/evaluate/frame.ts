import type { CelFailure } from "../values/cel-failure.js";
import type { CelResult } from "../values/cel-value.js";

/** Steps of loops between two looks at the clock. */
const stepsPerDeadlineCheck = 100;

/** Thrown when an evaluation costs more than it may; ends the evaluation. */
export class CostLimitExceeded extends Error {
  override readonly name = "CostLimitExceeded";

  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Thrown when an evaluation was aborted or took longer than it may; ends the evaluation. */
export class EvaluationInterrupted extends Error {
  override readonly name = "EvaluationInterrupted";

  constructor(options?: ErrorOptions) {
    super("operation interrupted", options);
  }
}

/** Returns the value of an input variable, by its slot. */
export type LoadVariable = (slot: number) => CelResult;

/** Limits of one evaluation. */
export interface FrameLimits {
  /** Largest cost in units. */
  readonly cost: number;
  /** Returns true when the evaluation must end. */
  readonly isInterrupted: (() => boolean) | undefined;
}

/** The state of one evaluation: its variables and what it cost so far. */
export class Frame {
  /** Units so far. Cheap steps add to it without a check; `spend`, `step` and the end of the evaluation check it. */
  cost = 0;
  readonly slots: (CelResult | undefined)[];
  readonly #load: LoadVariable;
  readonly #limits: FrameLimits;
  #steps = 0;

  constructor(slotCount: number, load: LoadVariable, limits: FrameLimits) {
    this.slots = new Array<CelResult | undefined>(slotCount).fill(undefined);
    this.#load = load;
    this.#limits = limits;
  }

  /** Returns the value of an input variable, which is computed once. */
  variable(slot: number): CelResult {
    let value = this.slots[slot];
    if (value === undefined) {
      value = this.#load(slot);
      this.slots[slot] = value;
    }
    return value;
  }

  /** Returns the value of a loop's variable. */
  local(slot: number): CelResult {
    return this.slots[slot] ?? null;
  }

  /** Adds units and ends the evaluation if they are too many. */
  spend(units: number): void {
    this.cost += units;
    if (this.cost > this.#limits.cost) {
      throw new CostLimitExceeded();
    }
  }

  /** Counts a step of a loop and ends the evaluation if it costs too much or takes too long. */
  step(): void {
    this.spend(0);
    this.#steps += 1;
    if (this.#steps % stepsPerDeadlineCheck === 0 && this.#limits.isInterrupted?.() === true) {
      throw new EvaluationInterrupted();
    }
  }
}

/** Evaluates a part of an expression. */
export type Evaluate = (frame: Frame) => CelResult;

/** A part of an expression that is ready to be evaluated. */
export interface Planned {
  readonly run: Evaluate;
  /** The value if it is known before the evaluation. */
  readonly constant: Exclude<CelResult, CelFailure> | undefined;
}

/** Returns a part with a value that is known already. */
export function constantOf(value: Exclude<CelResult, CelFailure>): Planned {
  return { run: () => value, constant: value };
}

/** Returns a part that is evaluated each time. */
export function planned(run: Evaluate): Planned {
  return { run, constant: undefined };
}
