import { CelDouble } from "../../values/cel-double.js";
import { CelDuration } from "../../values/cel-duration.js";
import { CelFailure } from "../../values/cel-failure.js";
import { CelList } from "../../values/cel-list.js";
import { CelTimestamp } from "../../values/cel-timestamp.js";
import { CelUint } from "../../values/cel-uint.js";
import type { CelValue } from "../../values/cel-value.js";
import { typeOf } from "../../values/type-of.js";

/** Returns a value as messages show it. */
export function valueText(value: CelValue): string {
  if (value instanceof CelDouble) {
    return doubleText(value.value);
  }
  if (value instanceof CelUint) {
    return value.value.toString();
  }
  if (value instanceof CelDuration) {
    return durationText(value.nanoseconds);
  }
  if (value instanceof CelTimestamp) {
    return timestampText(value.nanoseconds);
  }
  if (value instanceof CelList) {
    return `[${Array.from(value, valueText).join(", ")}]`;
  }
  return typeof value === "object" && value !== null ? typeOf(value).name : String(value);
}

/** Returns `string(double)`: the shortest digits, with an exponent below 0.0001 and from 1,000,000 on. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", power = "0"] = Math.abs(value).toExponential().split("e");
  const exponent = Number(power);
  if (value === 0 || (exponent >= -4 && exponent < 6)) {
    return sign + positional(mantissa.replace(".", ""), exponent);
  }
  const digits = Math.abs(exponent).toString().padStart(2, "0");
  return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
}

/** Places the point behind digit number `exponent`. */
function positional(digits: string, exponent: number): string {
  if (exponent < 0) {
    return `0.${"0".repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Returns `string(duration)`: seconds, rounded to a double. */
export function durationText(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
  const [mantissa = "", power = "0"] = Math.abs(seconds).toExponential().split("e");
  return `${seconds < 0 ? "-" : ""}${positional(mantissa.replace(".", ""), Number(power))}s`;
}

/** Returns `string(timestamp)`: RFC 3339 in UTC with as many digits of the second as needed. */
export function timestampText(nanoseconds: bigint): string {
  const fraction = BigInt.asUintN(
    64,
    ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n,
  );
  const milliseconds = Number((nanoseconds - fraction) / 1_000_000n);
  const seconds = new Date(milliseconds).toISOString().slice(0, -5);
  const digits = fraction.toString().padStart(9, "0").replace(/0+$/, "");
  return digits === "" ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

/** Returns `string(bytes)`. */
export function bytesText(bytes: Uint8Array): string | CelFailure {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelFailure("invalid UTF-8 in bytes, cannot convert to string");
  }
}
