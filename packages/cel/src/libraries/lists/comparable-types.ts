import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
} from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";

/** The types whose values have an order, in the order in which overloads are tried. */
export const comparableTypes: readonly CelType<CelValue>[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];
