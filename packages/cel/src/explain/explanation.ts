import type { CheckedExpression } from "../check/checked-expression.js";
import type { EvaluationObserver } from "../evaluate/evaluation-observer.js";
import { explainFalse, type FalseConjunct } from "./explain.js";
import { type IsSecret, secretNodes } from "./secret-nodes.js";
import { TraceRecorder } from "./trace.js";

/** Why an expression is not true. */
export interface Explanation {
  /** The parts that are false, or fail, in the order of the text; none if the expression is true. */
  readonly conjuncts: readonly FalseConjunct[];
  /** The texts of the conjuncts, or why nothing can be explained; empty if the expression is true. */
  readonly text: string;
}

/** Options of an explanation. */
export interface ExplainOptions {
  /** Returns true for paths whose values must not be shown. Default: no path. */
  readonly isSecret?: IsSecret | undefined;
}

/** Outcome of an evaluation that an observer saw. */
export type ObservedOutcome =
  | { readonly isTrue: boolean }
  /** Why the evaluation ended early. */
  | { readonly ended: string };

/**
 * Explains an expression by evaluating it once more.
 *
 * @param evaluate - Evaluates the expression under an observer.
 */
export function explanationOf(
  checked: CheckedExpression,
  source: string,
  { isSecret }: ExplainOptions,
  evaluate: (observer: EvaluationObserver) => ObservedOutcome,
): Explanation {
  const recorder = new TraceRecorder();
  const outcome = evaluate(recorder);
  if ("ended" in outcome) {
    return { conjuncts: [], text: outcome.ended };
  }
  if (outcome.isTrue) {
    return { conjuncts: [], text: "" };
  }
  const secrets = isSecret === undefined ? new Set<number>() : secretNodes(checked, isSecret);
  const conjuncts = explainFalse(checked, source, recorder.trace, secrets);
  return { conjuncts, text: conjuncts.map(({ text }) => text).join("; ") };
}
