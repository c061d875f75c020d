import type { EvaluationObserver } from "../evaluate/evaluation-observer.js";
import type { Comprehension, Expression } from "../syntax/expression.js";
import type { CelResult } from "../values/cel-value.js";
import { quantifierOf } from "./quantifier.js";

/** Most steps of a loop that are kept for an explanation. */
export const maxKeptSteps = 3;

/** The values that the parts of an expression had, of one step of a loop or outside of all loops. */
export interface Trace {
  readonly values: ReadonlyMap<number, CelResult>;
  readonly loops: ReadonlyMap<number, LoopTrace>;
  /** The values outside of the loop. */
  readonly outer: Trace | undefined;
}

/** The steps of a loop that an explanation needs. */
export interface LoopTrace {
  /** Number of steps that were made. */
  readonly count: number;
  /** Number of elements for which the condition holds. */
  readonly matches: number;
  /** Steps that decided, or that failed. */
  readonly steps: readonly StepTrace[];
}

/** One step of a loop. */
export interface StepTrace {
  /** Number of the element, from 0. */
  readonly index: number;
  /** Value of the loop's first variable. */
  readonly variable: CelResult | undefined;
  readonly trace: Trace;
}

/** Returns the value that a part had, `undefined` if it was not evaluated. */
export function valueIn(trace: Trace, node: Expression): CelResult | undefined {
  if (node.kind === "literal") {
    return node.value;
  }
  for (let at: Trace | undefined = trace; at !== undefined; at = at.outer) {
    const value = at.values.get(node.id);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

interface OpenTrace extends Trace {
  readonly values: Map<number, CelResult>;
  readonly loops: Map<number, OpenLoop>;
  readonly outer: OpenTrace | undefined;
  readonly variable: CelResult | undefined;
}

interface OpenLoop extends LoopTrace {
  count: number;
  matches: number;
  readonly steps: StepTrace[];
}

/** Keeps the values of one evaluation. */
export class TraceRecorder implements EvaluationObserver {
  #current: OpenTrace = openTrace(undefined, undefined);

  /** The values outside of all loops. */
  get trace(): Trace {
    return this.#current;
  }

  value(node: Expression, value: CelResult): void {
    this.#current.values.set(node.id, value);
  }

  beginStep(_loop: Comprehension, variable: CelResult | undefined): void {
    this.#current = openTrace(this.#current, variable);
  }

  endStep(loop: Comprehension): void {
    const trace = this.#current;
    const { outer, variable } = trace;
    if (outer === undefined) {
      return;
    }
    this.#current = outer;
    const quantifier = quantifierOf(loop);
    if (quantifier === undefined) {
      return;
    }
    const known: OpenLoop = outer.loops.get(loop.id) ?? { count: 0, matches: 0, steps: [] };
    outer.loops.set(loop.id, known);
    const holds = valueIn(trace, quantifier.body);
    const isDeciding = typeof holds === "boolean" && holds === (quantifier.kind !== "all");
    const isNeeded = quantifier.kind === "existsOne" ? isDeciding : holds !== true || isDeciding;
    if (isNeeded && (isDeciding || known.steps.length < maxKeptSteps)) {
      known.steps.splice(maxKeptSteps - 1);
      known.steps.push({ index: known.count, variable, trace });
    }
    known.count += 1;
    known.matches += holds === true ? 1 : 0;
  }
}

function openTrace(outer: OpenTrace | undefined, variable: CelResult | undefined): OpenTrace {
  return { values: new Map(), loops: new Map(), outer, variable };
}
