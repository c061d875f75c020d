import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import type { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { intType, stringType } from "../../values/cel-type.js";
import { codePointCount, isNarrow } from "../../values/code-points.js";
import { elementwise } from "../lists/list-costs.js";
import { codePointsOf, sliceOf } from "./code-points-of.js";
import { outOfRange } from "./substring.js";

/** `indexOf`: the offset of the first occurrence of a text, else -1. */
export const indexOf: FunctionDeclaration = {
  name: "indexOf",
  overloads: [
    memberOverload(
      "string_index_of_string",
      [stringType, stringType],
      intType,
      (text, part) => firstOffset(text, part, 0),
      elementwise,
    ),
    memberOverload(
      "string_index_of_string_int",
      [stringType, stringType, intType],
      intType,
      firstOffset,
      elementwise,
    ),
  ],
};

/** `lastIndexOf`: the offset of the last occurrence of a text that begins at or before an offset, else -1. */
export const lastIndexOf: FunctionDeclaration = {
  name: "lastIndexOf",
  overloads: [
    memberOverload(
      "string_last_index_of_string",
      [stringType, stringType],
      intType,
      (text, part) => offsetOf(text, text.lastIndexOf(part)),
      elementwise,
    ),
    memberOverload(
      "string_last_index_of_string_int",
      [stringType, stringType, intType],
      intType,
      lastOffset,
      elementwise,
    ),
  ],
};

function firstOffset(text: string, part: string, from: CelInt): CelInt | CelFailure {
  if (from < 0) {
    return outOfRange(from);
  }
  const size = codePointCount(text);
  if (from >= size) {
    return part === "" ? size : -1;
  }
  return offsetOf(text, text.indexOf(part, unitsBefore(text, Number(from))));
}

function lastOffset(text: string, part: string, from: CelInt): CelInt | CelFailure {
  if (from < 0) {
    return outOfRange(from);
  }
  const size = codePointCount(text);
  if (from >= size) {
    return part === "" ? size : -1;
  }
  return offsetOf(text, text.lastIndexOf(part, unitsBefore(text, Number(from))));
}

/** Returns the UTF-16 units of the first `count` code points. */
function unitsBefore(text: string, count: number): number {
  return isNarrow(text) ? count : sliceOf(codePointsOf(text), 0, count).length;
}

/** Converts an offset in UTF-16 units, or -1, into one in code points. */
function offsetOf(text: string, units: number): number {
  return units <= 0 || isNarrow(text) ? units : codePointCount(text.slice(0, units));
}
