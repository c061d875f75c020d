import { CelDouble } from "./cel-double.js";
import { CelDuration } from "./cel-duration.js";
import { CelList } from "./cel-list.js";
import { CelMap } from "./cel-map.js";
import { CelObject } from "./cel-object.js";
import { CelOpaque } from "./cel-opaque.js";
import { CelOptional } from "./cel-optional.js";
import { CelTimestamp } from "./cel-timestamp.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "./cel-type.js";
import { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";

const anyList = listType(dynType);
const anyMap = mapType(dynType, dynType);
const anyOptional = optionalType(dynType);

/** Returns the type of a value at run time; the elements of lists and maps are dyn. */
export function typeOf(value: CelValue): CelType {
  switch (typeof value) {
    case "string":
      return stringType;
    case "boolean":
      return boolType;
    case "number":
    case "bigint":
      return intType;
    default:
      return value === null ? nullType : typeOfInstance(value);
  }
}

function typeOfInstance(
  value: Exclude<CelValue, null | string | boolean | number | bigint>,
): CelType {
  if (value instanceof CelObject || value instanceof CelOpaque) {
    return value.type;
  }
  if (value instanceof CelList) {
    return anyList;
  }
  if (value instanceof CelMap) {
    return anyMap;
  }
  if (value instanceof CelDouble) {
    return doubleType;
  }
  if (value instanceof CelUint) {
    return uintType;
  }
  if (value instanceof CelTimestamp) {
    return timestampType;
  }
  if (value instanceof CelDuration) {
    return durationType;
  }
  if (value instanceof CelOptional) {
    return anyOptional;
  }
  return value instanceof Uint8Array ? bytesType : typeType;
}
