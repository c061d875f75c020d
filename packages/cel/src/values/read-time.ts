import { readGoDuration, timeParts, timeProblem } from "@typekube/core/internal/go-time";
import { CelDuration } from "./cel-duration.js";
import type { CelFailure } from "./cel-failure.js";
import type { CelTimestamp } from "./cel-timestamp.js";
import { checkedTimestamp, nanosecondsPerSecond } from "./time-arithmetic.js";

/** Reads a duration such as "1h2.5s"; `undefined` for any other text. */
export function readDuration(text: string): CelDuration | undefined {
  const duration = readGoDuration(text);
  return duration.problem === undefined ? new CelDuration(duration.nanoseconds) : undefined;
}

/** Reads a time such as "2026-01-01T00:00:00.5+01:00", up to nanoseconds; `undefined` for any other text. */
export function readTimestamp(text: string): CelTimestamp | CelFailure | undefined {
  const parts = timeProblem(text, false) === undefined ? timeParts(text) : undefined;
  if (parts === undefined) {
    return undefined;
  }
  const { year, month, day, hour, minute, second, fraction, zone } = parts;
  const offset = zone.sign * (zone.hours * 60 + zone.minutes);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999. The calendar repeats every 400 years of 146,097 days.
  const milliseconds =
    Date.UTC(year + 400, month - 1, day, hour, minute - offset, second) - 146_097 * 86_400_000;
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return checkedTimestamp(
    BigInt(milliseconds / 1_000) * nanosecondsPerSecond + nanoseconds,
    offset,
  );
}
