import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { CelFailure, isFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelMap } from "../../values/cel-map.js";
import { mapType, typeParameter } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { describeValue } from "../../values/describe-value.js";
import { GrowingMap } from "./growing-map.js";

const keyType = typeParameter("K");
const valueType = typeParameter("V");
const anyMap = mapType(keyType, valueType);

/** Name of the function that the macros call; source text cannot name it. */
export const mapInsertName = "cel.@mapInsert";

/** Adds an entry, or all entries of a map, to a map; a key that exists already is an error. */
export const mapInsert: FunctionDeclaration = {
  name: mapInsertName,
  overloads: [
    overload("@mapInsert_map_key_value", [anyMap, keyType, valueType], anyMap, inserted),
    overload("@mapInsert_map_map", [anyMap, anyMap], anyMap, (map, entries) => {
      let result: CelMap = map;
      for (const key of entries.keys()) {
        const value = entries.find(key);
        if (value === undefined || isFailure(value)) {
          return value ?? noSuchOverload();
        }
        const next = inserted(result, key, value);
        if (isFailure(next)) {
          return next;
        }
        result = next;
      }
      return result;
    }),
  ],
};

function inserted(map: CelMap, key: CelValue, value: CelValue): CelMap | CelFailure {
  if (map.find(key) !== undefined) {
    return new CelFailure(`insert failed: key ${describeValue(key)} already exists`);
  }
  const growing = map instanceof GrowingMap ? map : GrowingMap.of(map);
  return growing.with(key, value);
}
