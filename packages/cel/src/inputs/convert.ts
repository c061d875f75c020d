import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";

/** Converts a part of an input when it is read, by its declared type. */
export type Convert = (value: unknown, type: CelType) => CelValue;
