import type { CelDouble } from "./cel-double.js";
import type { CelDuration } from "./cel-duration.js";
import type { CelFailure } from "./cel-failure.js";
import type { CelInt } from "./cel-int.js";
import type { CelList } from "./cel-list.js";
import type { CelMap } from "./cel-map.js";
import type { CelObject } from "./cel-object.js";
import type { CelOpaque } from "./cel-opaque.js";
import type { CelOptional } from "./cel-optional.js";
import type { CelTimestamp } from "./cel-timestamp.js";
import type { CelType } from "./cel-type.js";
import type { CelUint } from "./cel-uint.js";

/** A value of the language. Strings hold UTF-16 as in JavaScript; sizes and offsets count code points. */
export type CelValue =
  | null
  | boolean
  | string
  | CelInt
  | CelUint
  | CelDouble
  | Uint8Array
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelObject
  | CelOptional
  | CelOpaque
  | CelType;

/** The outcome of evaluating a part of an expression. */
export type CelResult = CelValue | CelFailure;
