import { integerOverflow } from "./arithmetic.js";
import { CelDuration } from "./cel-duration.js";
import { CelFailure } from "./cel-failure.js";
import { isInt64 } from "./cel-int.js";
import { CelTimestamp } from "./cel-timestamp.js";

export const nanosecondsPerSecond = 1_000_000_000n;
const minTimestamp = -62_135_596_800n * nanosecondsPerSecond;
const maxTimestamp = 253_402_300_800n * nanosecondsPerSecond - 1n;

const timestampOverflow = new CelFailure("timestamp overflow");

/** Returns a timestamp, or a failure if it lies outside of the years 1 to 9999. */
export function checkedTimestamp(
  nanoseconds: bigint,
  offsetMinutes = 0,
): CelTimestamp | CelFailure {
  return nanoseconds >= minTimestamp && nanoseconds <= maxTimestamp
    ? new CelTimestamp(nanoseconds, offsetMinutes)
    : timestampOverflow;
}

/** Returns a duration, or a failure if its nanoseconds do not fit into 64 bits (292 years). */
export function checkedDuration(nanoseconds: bigint): CelDuration | CelFailure {
  return isInt64(nanoseconds) ? new CelDuration(nanoseconds) : integerOverflow;
}

export function addDuration(time: CelTimestamp, duration: CelDuration): CelTimestamp | CelFailure {
  return checkedTimestamp(time.nanoseconds + duration.nanoseconds, time.offsetMinutes);
}

export function subtractDuration(
  time: CelTimestamp,
  duration: CelDuration,
): CelTimestamp | CelFailure {
  return checkedTimestamp(time.nanoseconds - duration.nanoseconds, time.offsetMinutes);
}
