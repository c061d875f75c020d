import type { Comprehension, Expression } from "../syntax/expression.js";
import type { CelResult } from "../values/cel-value.js";
import { type Planned, planned } from "./frame.js";

/** Sees the values of the parts of an expression while it is evaluated. */
export interface EvaluationObserver {
  /** Called with the value of a part; not for parts whose value is known before the evaluation. */
  value(node: Expression, value: CelResult): void;
  /** Called before a step of a loop, with the value of the loop's first variable. */
  beginStep(loop: Comprehension, variable: CelResult | undefined): void;
  /** Called after a step of a loop. */
  endStep(loop: Comprehension): void;
}

/** Returns a part whose values an observer sees. */
export function observed(
  part: Planned,
  node: Expression,
  observer: EvaluationObserver | undefined,
): Planned {
  if (observer === undefined || part.constant !== undefined) {
    return part;
  }
  const { run } = part;
  return planned((frame) => {
    const value = run(frame);
    observer.value(node, value);
    return value;
  });
}

/** Returns the step of a loop whose begin and end an observer sees. */
export function observedStep(
  step: Planned,
  loop: Comprehension,
  variableSlot: number,
  observer: EvaluationObserver | undefined,
): Planned {
  if (observer === undefined) {
    return step;
  }
  const { run } = step;
  return planned((frame) => {
    observer.beginStep(loop, frame.slots[variableSlot]);
    const value = run(frame);
    observer.endStep(loop);
    return value;
  });
}
