import type { CheckedExpression } from "../check/checked-expression.js";
import type { Call, Comprehension, Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelMap } from "../values/cel-map.js";
import { type AnnotatedSource, annotate, sourceOf } from "./annotate.js";
import type { Conjunct } from "./conjuncts.js";
import { quantifierOf } from "./quantifier.js";
import { cut, showValue } from "./show-value.js";
import { type StepTrace, type Trace, valueIn } from "./trace.js";

/** Most conjuncts that an explanation has. */
export const maxConjuncts = 10;
/** Longest text of one conjunct, in code points. */
export const maxConjunctText = 1000;

/** A part of an expression that is false, or fails, and makes the whole false. */
export interface FalseConjunct extends Conjunct {
  /** The part with the values that it saw: "self.replicas (7) <= self.max (5)". */
  readonly text: string;
}

/** Returns the false conjuncts of an expression that is false or failed, in the order of the text. */
export function explainFalse(
  { expression }: CheckedExpression,
  source: string,
  trace: Trace,
  secrets: ReadonlySet<number>,
): readonly FalseConjunct[] {
  const explainer = new Explainer(Array.from(source), secrets);
  const reasons = explainer.whyFalse(expression, trace).slice(0, maxConjuncts);
  return reasons.map(({ node: { start, end }, text }) => ({
    source: explainer.textOf(start, end),
    text: cut(text, maxConjunctText),
    start,
    end,
  }));
}

interface Reason {
  readonly node: Expression;
  readonly text: string;
}

class Explainer {
  readonly #source: AnnotatedSource;

  constructor(points: readonly string[], secrets: ReadonlySet<number>) {
    this.#source = {
      points,
      secrets,
      loopReasons: (loop, trace) => this.#loopText(loop, trace),
    };
  }

  textOf(start: number, end: number): string {
    return this.#source.points.slice(start, end).join("");
  }

  /** Returns why a part is not true. */
  whyFalse(node: Expression, trace: Trace): readonly Reason[] {
    if (node.kind === "comprehension") {
      return this.#whyLoopFalse(node, trace);
    }
    if (node.kind === "call") {
      const [first] = node.args;
      switch (node.name) {
        case operators.and:
          return this.#decidingOperands(node, trace, false).flatMap((operand) =>
            this.whyFalse(operand, trace),
          );
        case operators.not:
          if (first !== undefined && valueIn(trace, first) === true) {
            return this.#whyTrue(first, trace);
          }
          break;
        case operators.conditional:
          return this.#inBranch(node, trace, (branch) => this.whyFalse(branch, trace));
        default:
          break;
      }
    }
    return [{ node, text: this.#annotated(node, trace) }];
  }

  /** Returns why a part is true that should be false. */
  #whyTrue(node: Expression, trace: Trace): readonly Reason[] {
    if (node.kind === "comprehension") {
      const found = this.#matchOf(node, trace);
      if (found !== undefined) {
        return this.#inStep(node, trace, found.step, this.#whyTrue(found.body, found.step.trace));
      }
    }
    if (node.kind === "call") {
      const [first] = node.args;
      switch (node.name) {
        case operators.or:
          return this.#decidingOperands(node, trace, true).flatMap((operand) =>
            this.#whyTrue(operand, trace),
          );
        case operators.not:
          if (first !== undefined && valueIn(trace, first) === false) {
            return this.whyFalse(first, trace);
          }
          break;
        case operators.conditional:
          return this.#inBranch(node, trace, (branch) => this.#whyTrue(branch, trace));
        default:
          break;
      }
    }
    return [{ node, text: negated(node, this.#annotated(node, trace)) }];
  }

  /** Returns the operands of `&&` or `||` with the deciding value; without one, those that failed. */
  #decidingOperands({ args }: Call, trace: Trace, deciding: boolean): readonly Expression[] {
    const decisive = args.filter((operand) => valueIn(trace, operand) === deciding);
    return decisive.length > 0
      ? decisive
      : args.filter((operand) => typeof valueIn(trace, operand) !== "boolean");
  }

  #inBranch(
    node: Call,
    trace: Trace,
    why: (branch: Expression) => readonly Reason[],
  ): readonly Reason[] {
    const [condition, whenTrue, whenFalse] = node.args;
    const decided = condition === undefined ? undefined : valueIn(trace, condition);
    const branch = decided === true ? whenTrue : decided === false ? whenFalse : undefined;
    if (condition === undefined || branch === undefined) {
      return [{ node, text: this.#annotated(node, trace) }];
    }
    const shown = this.#annotated(condition, trace);
    const context = decided === true ? shown : negated(condition, shown);
    return why(branch).map((reason) => ({ ...reason, text: `${reason.text}, where ${context}` }));
  }

  #whyLoopFalse(node: Comprehension, trace: Trace): readonly Reason[] {
    const quantifier = quantifierOf(node);
    const deciding = trace.loops
      .get(node.id)
      ?.steps.findLast((step) => valueIn(step.trace, quantifier?.body ?? node) === false);
    if (quantifier?.kind === "all" && deciding !== undefined) {
      const reasons = this.whyFalse(quantifier.body, deciding.trace);
      return this.#inStep(node, trace, deciding, reasons);
    }
    return [{ node, text: this.#annotated(node, trace) }];
  }

  /** Names the element of a step in front of its reasons. */
  #inStep(
    loop: Comprehension,
    trace: Trace,
    step: StepTrace,
    reasons: readonly Reason[],
  ): readonly Reason[] {
    const name = this.#elementName(loop, trace, step);
    return reasons.map(({ node, text }) => ({ node, text: `${name}: ${text}` }));
  }

  /** Returns the step in which `exists` found an element. */
  #matchOf(
    node: Comprehension,
    trace: Trace,
  ): { readonly step: StepTrace; readonly body: Expression } | undefined {
    const quantifier = quantifierOf(node);
    if (quantifier === undefined || quantifier.kind === "all") {
      return undefined;
    }
    const { body } = quantifier;
    const step = trace.loops.get(node.id)?.steps.find((one) => valueIn(one.trace, body) === true);
    return step === undefined ? undefined : { step, body };
  }

  /** Returns what a loop found, for the text of an expression that contains it. */
  #loopText(loop: Comprehension, trace: Trace): string {
    const quantifier = quantifierOf(loop);
    const { steps = [], count = 0, matches = 0 } = trace.loops.get(loop.id) ?? {};
    const value = valueIn(trace, loop);
    if (quantifier === undefined) {
      return "";
    }
    if (value instanceof CelFailure && steps.length === 0) {
      return this.#source.secrets.has(loop.id) ? "error" : showValue(value);
    }
    if (value === true) {
      return quantifier.kind === "all" ? `${count} elements` : this.#names(loop, trace, steps);
    }
    if (count === 0) {
      return "no elements";
    }
    if (quantifier.kind === "existsOne") {
      const which = matches === 0 ? "" : `: ${this.#names(loop, trace, steps)}`;
      return `${matches} of ${count} elements match${which}`;
    }
    const texts = steps.flatMap((step) =>
      this.#inStep(loop, trace, step, this.whyFalse(quantifier.body, step.trace)),
    );
    const others = quantifier.kind === "exists" ? count - steps.length : 0;
    const more = others === 0 ? [] : [`${others} more`];
    return [...texts.map(({ text }) => text), ...more].join("; ");
  }

  #names(loop: Comprehension, trace: Trace, steps: readonly StepTrace[]): string {
    return steps.map((step) => this.#elementName(loop, trace, step)).join(", ");
  }

  /** Returns the name of an element: "self.names[2]", `self.labels["app"]`. */
  #elementName({ range }: Comprehension, trace: Trace, { index, variable }: StepTrace): string {
    const isMap = range.kind === "map" || valueIn(trace, range) instanceof CelMap;
    // The keys of a map that an expression creates can be secrets.
    const isHidden = this.#source.secrets.has(range.id) && range.kind === "map";
    const key = isMap && !isHidden && variable !== undefined ? showValue(variable) : String(index);
    return `${sourceOf(range, this.#source.points)}[${key}]`;
  }

  #annotated(node: Expression, trace: Trace): string {
    return annotate(node, trace, this.#source);
  }
}

/** Returns the text of a negated part, with parentheses where the language needs them. */
function negated(node: Expression, text: string): string {
  const isOperator = node.kind === "call" && /^(?:_|!_|-_|@in)/.test(node.name);
  return isOperator ? `!(${text})` : `!${text}`;
}
