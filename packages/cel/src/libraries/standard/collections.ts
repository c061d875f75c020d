import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { operators } from "../../syntax/operators.js";
import { type CelFailure, isFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelList } from "../../values/cel-list.js";
import type { CelMap } from "../../values/cel-map.js";
import {
  boolType,
  bytesType,
  intType,
  listType,
  mapType,
  stringType,
  typeParameter,
} from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { codePointCount } from "../../values/code-points.js";
import { isEqual } from "../../values/equals.js";
import { search } from "./standard-costs.js";

const a = typeParameter("A");
const b = typeParameter("B");
const list = listType(a);
const map = mapType(a, b);

const sizeOf = ({ size }: CelList | CelMap): number => size;
const length = (bytes: Uint8Array): number => bytes.length;

/** `in`, `[]` and `size`. */
export const collections: readonly FunctionDeclaration[] = [
  {
    name: operators.index,
    overloads: [
      overload("index_list", [list, intType], a, () => noSuchOverload()),
      overload("index_map", [map, a], b, () => noSuchOverload()),
    ],
  },
  {
    name: operators.in,
    overloads: [
      overload("in_list", [a, list], boolType, isElement, search),
      overload("in_map", [a, map], boolType, isKey),
    ],
  },
  {
    name: "size",
    overloads: [
      overload("size_bytes", [bytesType], intType, length),
      memberOverload("bytes_size", [bytesType], intType, length),
      overload("size_list", [list], intType, sizeOf),
      memberOverload("list_size", [list], intType, sizeOf),
      overload("size_map", [map], intType, sizeOf),
      memberOverload("map_size", [map], intType, sizeOf),
      overload("size_string", [stringType], intType, codePointCount),
      memberOverload("string_size", [stringType], intType, codePointCount),
    ],
  },
];

function isElement(value: CelValue, elements: CelList): boolean | CelFailure {
  const own = elements.contains(value);
  if (own !== undefined) {
    return own;
  }
  for (const element of elements) {
    if (isEqual(value, element)) {
      return true;
    }
  }
  return false;
}

function isKey(key: CelValue, entries: CelMap): boolean | CelFailure {
  const found = entries.find(key);
  return isFailure(found) ? found : found !== undefined;
}
