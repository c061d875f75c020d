import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { intType, stringType } from "../../values/cel-type.js";
import { codePointsOf, sliceOf } from "./code-points-of.js";
import { scan } from "./string-costs.js";

/** `charAt`: the character at an offset, "" at the end of the text. */
export const charAt: FunctionDeclaration = {
  name: "charAt",
  overloads: [
    memberOverload("string_char_at_int", [stringType, intType], stringType, (text, index) => {
      const points = codePointsOf(text);
      return index < 0 || index > points.length ? outOfRange(index) : (points[Number(index)] ?? "");
    }),
  ],
};

/** `substring`: the characters from a start to before an end, to the end of the text by default. */
export const substring: FunctionDeclaration = {
  name: "substring",
  overloads: [
    memberOverload(
      "string_substring_int",
      [stringType, intType],
      stringType,
      (text, start) => {
        const points = codePointsOf(text);
        return start < 0 || start > points.length
          ? outOfRange(start)
          : sliceOf(points, Number(start), points.length);
      },
      scan,
    ),
    memberOverload(
      "string_substring_int_int",
      [stringType, intType, intType],
      stringType,
      substringBetween,
      scan,
    ),
  ],
};

function substringBetween(text: string, start: CelInt, end: CelInt): string | CelFailure {
  if (start > end) {
    return new CelFailure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const points = codePointsOf(text);
  for (const offset of [start, end]) {
    if (offset < 0 || offset > points.length) {
      return outOfRange(offset);
    }
  }
  return sliceOf(points, Number(start), Number(end));
}

/** Returns the failure of an offset that is not in the text. */
export function outOfRange(offset: CelInt): CelFailure {
  return new CelFailure(`index out of range: ${offset}`);
}
