import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { checkedInt, checkedUint, doubleToInt, doubleToUint } from "../../values/arithmetic.js";
import { CelDouble } from "../../values/cel-double.js";
import { CelFailure } from "../../values/cel-failure.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
} from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { formatDouble } from "../../values/format-double.js";
import { formatDuration, formatTimestamp } from "../../values/format-time.js";
import { readBool, readDouble, readInteger } from "../../values/read-number.js";
import { readDuration, readTimestamp } from "../../values/read-time.js";
import { textOfBytes } from "../../values/text-of-bytes.js";
import { checkedTimestamp, nanosecondsPerSecond } from "../../values/time-arithmetic.js";
import { typeOf } from "../../values/type-of.js";
import { bytesToText, textToBytes } from "./standard-costs.js";

const a = typeParameter("A");
const encoder = new TextEncoder();

/** `bool`, `bytes`, `double`, `duration`, `dyn`, `int`, `string`, `timestamp`, `type` and `uint`. */
export const conversions: readonly FunctionDeclaration[] = [
  {
    name: "type",
    // The result is the type of the value at run time.
    overloads: [overload("type", [a], typeOfType(a), (value) => typeOf(value))],
  },
  {
    name: "bool",
    overloads: [
      overload("bool_to_bool", [boolType], boolType, same),
      overload("string_to_bool", [stringType], boolType, from(stringType, boolType, readBool)),
    ],
  },
  {
    name: "bytes",
    overloads: [
      overload("bytes_to_bytes", [bytesType], bytesType, same),
      overload(
        "string_to_bytes",
        [stringType],
        bytesType,
        (value) => encoder.encode(value),
        textToBytes,
      ),
    ],
  },
  {
    name: "double",
    overloads: [
      overload("double_to_double", [doubleType], doubleType, same),
      overload("int64_to_double", [intType], doubleType, (value) => new CelDouble(Number(value))),
      overload(
        "string_to_double",
        [stringType],
        doubleType,
        from(stringType, doubleType, readDouble),
      ),
      overload(
        "uint64_to_double",
        [uintType],
        doubleType,
        ({ value }) => new CelDouble(Number(value)),
      ),
    ],
  },
  {
    name: "duration",
    overloads: [
      overload("duration_to_duration", [durationType], durationType, same),
      overload(
        "string_to_duration",
        [stringType],
        durationType,
        from(stringType, durationType, readDuration),
      ),
    ],
  },
  { name: "dyn", overloads: [overload("to_dyn", [a], dynType, same)] },
  {
    name: "int",
    overloads: [
      overload("int64_to_int64", [intType], intType, same),
      overload("double_to_int64", [doubleType], intType, doubleToInt),
      overload("duration_to_int64", [durationType], intType, (value) =>
        checkedInt(value.nanoseconds),
      ),
      overload(
        "string_to_int64",
        [stringType],
        intType,
        from(stringType, intType, (value) => {
          const integer = readInteger(value, true);
          const checked = integer === undefined ? undefined : checkedInt(integer);
          return checked instanceof CelFailure ? undefined : checked;
        }),
      ),
      overload("timestamp_to_int64", [timestampType], intType, (value) =>
        checkedInt(floorSeconds(value.nanoseconds)),
      ),
      overload("uint64_to_int64", [uintType], intType, ({ value }) => checkedInt(BigInt(value))),
    ],
  },
  {
    name: "string",
    overloads: [
      overload("string_to_string", [stringType], stringType, same),
      overload("bool_to_string", [boolType], stringType, String),
      overload("bytes_to_string", [bytesType], stringType, textOfBytes, bytesToText),
      overload("double_to_string", [doubleType], stringType, ({ value }) => formatDouble(value)),
      overload("duration_to_string", [durationType], stringType, formatDuration),
      overload("int64_to_string", [intType], stringType, String),
      overload("timestamp_to_string", [timestampType], stringType, formatTimestamp),
      overload("uint64_to_string", [uintType], stringType, ({ value }) => String(value)),
    ],
  },
  {
    name: "timestamp",
    overloads: [
      overload("timestamp_to_timestamp", [timestampType], timestampType, same),
      overload("int64_to_timestamp", [intType], timestampType, (seconds) =>
        checkedTimestamp(BigInt(seconds) * nanosecondsPerSecond),
      ),
      overload(
        "string_to_timestamp",
        [stringType],
        timestampType,
        from(stringType, timestampType, readTimestamp),
      ),
    ],
  },
  {
    name: "uint",
    overloads: [
      overload("uint64_to_uint64", [uintType], uintType, same),
      overload("double_to_uint64", [doubleType], uintType, doubleToUint),
      overload("int64_to_uint64", [intType], uintType, (value) => checkedUint(BigInt(value))),
      overload(
        "string_to_uint64",
        [stringType],
        uintType,
        from(stringType, uintType, (value) => {
          const integer = readInteger(value, false);
          const checked = integer === undefined ? undefined : checkedUint(integer);
          return checked instanceof CelFailure ? undefined : checked;
        }),
      ),
    ],
  },
];

function same<T>(value: T): T {
  return value;
}

/** Returns a conversion that fails for a text that the reader does not accept. */
function from<T, R extends CelValue>(
  source: CelType,
  target: CelType<R>,
  read: (value: T) => R | CelFailure | undefined,
): (value: T) => R | CelFailure {
  const failure = new CelFailure(`type conversion error from '${source.name}' to '${target.name}'`);
  return (value) => read(value) ?? failure;
}

function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / nanosecondsPerSecond;
  return nanoseconds % nanosecondsPerSecond < 0n ? seconds - 1n : seconds;
}
