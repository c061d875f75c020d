import type { CelDuration } from "./cel-duration.js";
import type { CelTimestamp } from "./cel-timestamp.js";
import { nanosecondsPerSecond } from "./time-arithmetic.js";

/** Returns a time as RFC 3339 with as many fractional digits as it needs, in the zone it was read in. */
export function formatTimestamp({ nanoseconds, offsetMinutes }: CelTimestamp): string {
  const local = nanoseconds + BigInt(offsetMinutes) * 60n * nanosecondsPerSecond;
  const rest = ((local % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const date = new Date(Number((local - rest) / 1_000_000n));
  const [seconds = ""] = date
    .toISOString()
    .replace(/^[+-]\d\d/, "")
    .split(".");
  const digits = String(rest).padStart(9, "0").replace(/0+$/, "");
  return `${seconds}${digits === "" ? "" : `.${digits}`}${zone(offsetMinutes)}`;
}

function zone(offsetMinutes: number): string {
  if (offsetMinutes === 0) {
    return "Z";
  }
  const minutes = Math.abs(offsetMinutes);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns a duration in seconds, for example "5400s" or "0.5s". */
export function formatDuration({ nanoseconds }: CelDuration): string {
  // As in Go, the seconds pass through a double.
  const whole = nanoseconds / nanosecondsPerSecond;
  const seconds = Number(whole) + Number(nanoseconds % nanosecondsPerSecond) / 1e9;
  return `${plainNumber(seconds)}s`;
}

/** Returns a double without an exponent, in as few digits as tell it apart. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [mantissa = "", exponent] = text.split("e");
  if (exponent === undefined) {
    return text;
  }
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const plain =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, "0")}${point < digits.length ? `.${digits.slice(point)}` : ""}`;
  return mantissa.startsWith("-") ? `-${plain}` : plain;
}
