import { CelDouble } from "../values/cel-double.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelObject } from "../values/cel-object.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { describeValue } from "../values/describe-value.js";
import { typeOf } from "../values/type-of.js";
import { goTypeOf } from "./go-type-of.js";

/** Returns the value of `target[key]` or `target.key`; a failure if it does not exist. */
export function qualify(target: CelValue, key: CelValue): CelResult {
  const found = find(target, key);
  if (found !== undefined) {
    return found;
  }
  const problem = target instanceof CelList ? "index out of bounds" : "no such key";
  return new CelFailure(`${problem}: ${describeValue(key)}`);
}

/** Returns the value of `target[key]` or `target.key`, `undefined` if it does not exist. */
export function find(target: CelValue, key: CelValue): CelResult | undefined {
  const invalid = invalidKey(key);
  if (invalid !== undefined) {
    return invalid;
  }
  if (target instanceof CelObject) {
    return typeof key === "string" ? target.field(key) : undefined;
  }
  if (target instanceof CelMap) {
    return target.find(key);
  }
  if (target instanceof CelList) {
    const index = indexOf(key);
    if (typeof index !== "number") {
      return index;
    }
    return index >= 0 && index < target.size ? target.at(index) : undefined;
  }
  return undefined;
}

/** Returns why a value can be neither key nor index; `undefined` for one that can. */
export function invalidKey(key: CelValue): CelFailure | undefined {
  const isValid =
    (typeof key !== "object" || key instanceof CelDouble || key instanceof CelUint) && key !== null;
  return isValid ? undefined : new CelFailure(`invalid qualifier type: ${goTypeOf(key)}`);
}

/** Returns a value as an index; a double or uint may stand for the same int. */
function indexOf(key: CelValue): number | CelFailure {
  if (typeof key === "number" || typeof key === "bigint") {
    return Number(key);
  }
  if (key instanceof CelDouble && Number.isInteger(key.value)) {
    return key.value;
  }
  if (key instanceof CelUint) {
    return Number(key.value);
  }
  return new CelFailure(
    key instanceof CelDouble
      ? `unsupported index value ${describeValue(key)} in list`
      : `unsupported index type '${typeOf(key).name}' in list`,
  );
}
