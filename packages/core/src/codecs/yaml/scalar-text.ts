import type { ScalarEvent } from "js-yaml";
import type { Yaml } from "./js-yaml.js";
import { foldedValue, holdsOldBreak, literalValue } from "./line-breaks.js";
import { YamlProblem } from "./yaml-problem.js";

/**
 * Returns the text of a scalar without its quotes, escapes and folding.
 *
 * @throws {YamlProblem} for an escape of a lone surrogate.
 */
export function scalarText(yaml: Yaml, source: string, event: ScalarEvent): string {
  const { valueStart, valueEnd, style } = event;
  const { DOUBLE_QUOTED, LITERAL_BLOCK, FOLDED_BLOCK } = yaml.SCALAR_STYLE;
  const isBlock = style === LITERAL_BLOCK || style === FOLDED_BLOCK;
  let text: string;
  if (valueStart >= 0 && holdsOldBreak(source, valueStart, valueEnd)) {
    const raw = source.slice(valueStart, valueEnd);
    const read = (piece: string) =>
      yaml.getScalarValue(piece, { ...event, valueStart: 0, valueEnd: piece.length, fast: false });
    text = isBlock
      ? literalValue(raw, event.indent, read)
      : foldedValue(raw, style === DOUBLE_QUOTED, read);
  } else {
    text = yaml.getScalarValue(source, event);
  }
  if (isBlock && text.endsWith("\n") && endsWithoutBreak(source, valueEnd)) {
    text = text.slice(0, -1);
  }
  if (style === DOUBLE_QUOTED && !event.fast && /\p{Surrogate}/u.test(text)) {
    throw new YamlProblem("an escape is a lone surrogate", valueStart);
  }
  return text;
}

/**
 * Returns whether the text ends with this scalar, without a line break. js-yaml adds a break to such a block scalar;
 * go-yaml and the specification do not.
 */
function endsWithoutBreak(source: string, valueEnd: number): boolean {
  return valueEnd >= source.length && !/[\n\r\u0085\u2028\u2029]/.test(source.slice(-1));
}
