import { Estimate } from "../../functions/estimate.js";
import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { ArrayList, type CelList } from "../../values/cel-list.js";
import { intType, listType } from "../../values/cel-type.js";
import { maxUint64 } from "../../values/cel-uint.js";
import { literalOr, writing } from "./list-transform-costs.js";

/** Largest size of a range. */
const maxRangeSize = 1_000_000;

/** `lists.range`: the integers from 0 to before n. */
export const range: FunctionDeclaration = {
  name: "lists.range",
  overloads: [
    overload(
      "lists_range",
      [intType],
      listType(intType),
      rangeOf,
      writing((_target, [size]) => size && Estimate.exactly(literalOr(size, maxUint64))),
    ),
  ],
};

function rangeOf(size: CelInt): CelList | CelFailure {
  if (size < 0) {
    return new CelFailure(`lists.range: size must be non-negative, got ${size}`);
  }
  if (size > maxRangeSize) {
    return new CelFailure(`lists.range: size ${size} exceeds maximum allowed (${maxRangeSize})`);
  }
  return new ArrayList(Array.from({ length: Number(size) }, (_, index) => index));
}
