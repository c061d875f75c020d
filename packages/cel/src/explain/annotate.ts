import type { Call, Comprehension, Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { childrenOf } from "../syntax/visit.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelOpaque } from "../values/cel-opaque.js";
import type { CelResult } from "../values/cel-value.js";
import { quantifierOf } from "./quantifier.js";
import { showValue } from "./show-value.js";
import { type Trace, valueIn } from "./trace.js";

const operatorNames: ReadonlySet<string> = new Set(Object.values(operators));
const steps: ReadonlySet<string> = new Set([
  operators.index,
  operators.optionalIndex,
  operators.optionalSelect,
]);

/** The text of an expression and its secrets. */
export interface AnnotatedSource {
  /** The expression, by code points. */
  readonly points: readonly string[];
  /** Numbers of the parts whose values must not be shown. */
  readonly secrets: ReadonlySet<number>;
  /** Returns the reasons of a loop's outcome, empty if it needs none. */
  readonly loopReasons: (loop: Comprehension, trace: Trace) => string;
}

/** Returns a part of an expression with the values of its operands: "self.replicas (7) <= self.max (5)". */
export function annotate(node: Expression, trace: Trace, source: AnnotatedSource): string {
  const notes = new Map<number, string>();
  const note = (at: Expression, text: string): void => {
    notes.set(at.end, ` (${text})`);
  };
  const visit = (part: Expression): void => {
    const value = valueIn(trace, part);
    if (part.kind === "comprehension" && quantifierOf(part) !== undefined) {
      const reasons = value === undefined ? "" : source.loopReasons(part, trace);
      if (reasons !== "") {
        note(part, reasons);
      }
    } else if (part.kind === "select" && part.testOnly) {
      // The outcome of the whole tells if the field exists.
    } else if (isOpen(part, value)) {
      childrenOf(part).forEach(visit);
    } else if (value !== undefined && part.kind !== "literal") {
      note(part, source.secrets.has(part.id) ? "secret" : showValue(value));
    }
  };
  visit(node);
  return joined(node, notes, source.points);
}

/** Returns the text of a part in one line. */
export function sourceOf({ start, end }: Expression, points: readonly string[]): string {
  return oneLine(points.slice(start, end).join(""));
}

/** Returns true for a part that is explained by the values of its own parts. */
function isOpen(part: Expression, value: CelResult | undefined): boolean {
  switch (part.kind) {
    case "list":
    case "map":
    case "struct":
      return true;
    case "call":
      return !steps.has(part.name) && isOpenCall(part, value);
    default:
      return false;
  }
}

/** Calls of functions are explained by their result, unless it says less than the arguments. */
function isOpenCall({ name }: Call, value: CelResult | undefined): boolean {
  return (
    operatorNames.has(name) ||
    typeof value === "boolean" ||
    value instanceof CelOpaque ||
    value instanceof CelFailure
  );
}

function joined(
  { start, end }: Expression,
  notes: ReadonlyMap<number, string>,
  points: readonly string[],
): string {
  let [text, from] = ["", start];
  for (const [at, note] of [...notes].sort(([a], [b]) => a - b)) {
    text += points.slice(from, at).join("") + note;
    from = at;
  }
  return oneLine(text + points.slice(from, end).join(""));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
