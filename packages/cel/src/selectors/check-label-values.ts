import { type LabelRequirement, labelValueTexts } from "@typekube/core/internal/texts";
import { goQuote } from "../text/go-quote.js";
import { isInt64 } from "../values/cel-int.js";

/** Returns apimachinery's message about values that a requirement cannot have, `undefined` if all are right. */
export function checkLabelValues(
  key: string,
  operator: LabelRequirement["operator"],
  values: readonly string[],
): string | undefined {
  const isOrder = operator === "Gt" || operator === "Lt";
  const numbers = values.flatMap((value, at) =>
    isOrder && !isInteger(value)
      ? [invalid(`values[${at}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
      : [],
  );
  const texts = values.flatMap((value, at) => {
    const problems = labelValueTexts(value);
    return problems.length === 0
      ? []
      : [invalid(`values[${at}][${key}]`, value, problems.join("; "))];
  });
  const [first, ...others] = [...numbers, ...texts];
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}

function invalid(path: string, value: string, message: string): string {
  return `${path}: Invalid value: ${goQuote(value)}: ${message}`;
}

function isInteger(text: string): boolean {
  return /^[-+]?[0-9]+$/.test(text) && isInt64(BigInt(text.replace("+", "")));
}
