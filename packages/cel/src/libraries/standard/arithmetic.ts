import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { operators } from "../../syntax/operators.js";
import {
  addInts,
  addUints,
  divideInts,
  divideUints,
  moduloInts,
  moduloUints,
  multiplyInts,
  multiplyUints,
  negateInt,
  subtractInts,
  subtractUints,
} from "../../values/arithmetic.js";
import { CelDouble } from "../../values/cel-double.js";
import type { CelFailure } from "../../values/cel-failure.js";
import type { CelList } from "../../values/cel-list.js";
import {
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from "../../values/cel-type.js";
import { addDuration, checkedDuration, subtractDuration } from "../../values/time-arithmetic.js";
import { concatenation, listConcatenation } from "./standard-costs.js";

const list = listType(typeParameter("A"));

/** `+`, `-`, `*`, `/`, `%` and the minus in front of a number. */
export const arithmetic: readonly FunctionDeclaration[] = [
  {
    name: operators.add,
    overloads: [
      overload("add_bytes", [bytesType, bytesType], bytesType, joinBytes, concatenation),
      overload("add_double", [doubleType, doubleType], doubleType, (a, b) =>
        double(a.value + b.value),
      ),
      overload("add_duration_duration", [durationType, durationType], durationType, (a, b) =>
        checkedDuration(a.nanoseconds + b.nanoseconds),
      ),
      overload("add_duration_timestamp", [durationType, timestampType], timestampType, (a, b) =>
        addDuration(b, a),
      ),
      overload("add_timestamp_duration", [timestampType, durationType], timestampType, addDuration),
      overload("add_int64", [intType, intType], intType, addInts),
      overload("add_list", [list, list], list, joinLists, listConcatenation),
      overload("add_string", [stringType, stringType], stringType, (a, b) => a + b, concatenation),
      overload("add_uint64", [uintType, uintType], uintType, addUints),
    ],
  },
  {
    name: operators.divide,
    overloads: [
      overload("divide_double", [doubleType, doubleType], doubleType, (a, b) =>
        double(a.value / b.value),
      ),
      overload("divide_int64", [intType, intType], intType, divideInts),
      overload("divide_uint64", [uintType, uintType], uintType, divideUints),
    ],
  },
  {
    name: operators.modulo,
    overloads: [
      overload("modulo_int64", [intType, intType], intType, moduloInts),
      overload("modulo_uint64", [uintType, uintType], uintType, moduloUints),
    ],
  },
  {
    name: operators.multiply,
    overloads: [
      overload("multiply_double", [doubleType, doubleType], doubleType, (a, b) =>
        double(a.value * b.value),
      ),
      overload("multiply_int64", [intType, intType], intType, multiplyInts),
      overload("multiply_uint64", [uintType, uintType], uintType, multiplyUints),
    ],
  },
  {
    name: operators.negate,
    overloads: [
      overload("negate_double", [doubleType], doubleType, ({ value }) => double(-value)),
      overload("negate_int64", [intType], intType, negateInt),
    ],
  },
  {
    name: operators.subtract,
    overloads: [
      overload("subtract_double", [doubleType, doubleType], doubleType, (a, b) =>
        double(a.value - b.value),
      ),
      overload("subtract_duration_duration", [durationType, durationType], durationType, (a, b) =>
        checkedDuration(a.nanoseconds - b.nanoseconds),
      ),
      overload("subtract_int64", [intType, intType], intType, subtractInts),
      overload(
        "subtract_timestamp_duration",
        [timestampType, durationType],
        timestampType,
        subtractDuration,
      ),
      overload(
        "subtract_timestamp_timestamp",
        [timestampType, timestampType],
        durationType,
        (a, b) => checkedDuration(a.nanoseconds - b.nanoseconds),
      ),
      overload("subtract_uint64", [uintType, uintType], uintType, subtractUints),
    ],
  },
];

function double(value: number): CelDouble {
  return new CelDouble(value);
}

function joinLists(a: CelList, b: CelList): CelList | CelFailure {
  return a.concat(b);
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
