import { CelFailure } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";
import type { Overload } from "./overload.js";

/**
 * Returns true if a value can be an argument of a declared type. Of lists and maps only the first entry is looked at, as
 * in cel-go.
 */
export function matchesType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "typeParameter":
      return true;
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "number" || typeof value === "bigint";
    case "list":
      return value instanceof CelList && matchesFirst(value, type);
    case "map":
      return value instanceof CelMap && matchesEntry(value, type);
    default: {
      const found = typeOf(value);
      return found.name === type.name || (found.kind === type.kind && type.kind === "type");
    }
  }
}

function matchesFirst(list: CelList, { parameters: [element] }: CelType): boolean {
  return element === undefined || list.size === 0 || matchesType(list.at(0), element);
}

function matchesEntry(map: CelMap, { parameters: [keyType, valueType] }: CelType): boolean {
  for (const key of map.keys()) {
    const value = map.find(key);
    return (
      (keyType === undefined || matchesType(key, keyType)) &&
      (valueType === undefined ||
        (value !== undefined && !(value instanceof CelFailure) && matchesType(value, valueType)))
    );
  }
  return true;
}

/** Returns true if values can be the arguments of a signature. */
export function matchesOverload(args: readonly CelValue[], { parameters }: Overload): boolean {
  return (
    args.length === parameters.length &&
    parameters.every((type, index) => {
      const value = args[index];
      return value !== undefined && matchesType(value, type);
    })
  );
}
