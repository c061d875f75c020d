import {
  type FunctionDeclaration,
  memberOverload,
  type Overload,
} from "../../functions/overload.js";
import { checkedInt } from "../../values/arithmetic.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import type { CelTimestamp } from "../../values/cel-timestamp.js";
import { durationType, intType, stringType, timestampType } from "../../values/cel-type.js";
import { localDate } from "../../values/time-zone.js";

const dayMs = 86_400_000;

/** `getFullYear`, `getHours` and the other parts of timestamps and durations. */
export const times: readonly FunctionDeclaration[] = [
  part("getFullYear", "year", (date) => date.getUTCFullYear()),
  part("getMonth", "month", (date) => date.getUTCMonth()),
  part("getDayOfYear", "day_of_year", dayOfYear),
  part("getDayOfMonth", "day_of_month", (date) => date.getUTCDate() - 1),
  part("getDate", "day_of_month_1_based", (date) => date.getUTCDate()),
  part("getDayOfWeek", "day_of_week", (date) => date.getUTCDay()),
  part("getHours", "hours", (date) => date.getUTCHours(), wholeUnits("hours", 3_600_000_000_000n)),
  part(
    "getMinutes",
    "minutes",
    (date) => date.getUTCMinutes(),
    wholeUnits("minutes", 60_000_000_000n),
  ),
  part(
    "getSeconds",
    "seconds",
    (date) => date.getUTCSeconds(),
    wholeUnits("seconds", 1_000_000_000n),
  ),
  part(
    "getMilliseconds",
    "milliseconds",
    (date) => date.getUTCMilliseconds(),
    wholeUnits("milliseconds", 1_000_000n),
  ),
];

function part(
  name: string,
  suffix: string,
  read: (date: Date) => number,
  ...ofDurations: Overload[]
): FunctionDeclaration {
  const inZone = (time: CelTimestamp, zone: string): number | CelFailure => {
    const date = localDate(time, zone);
    return date === undefined ? new CelFailure(`unknown time zone ${zone}`) : read(date);
  };
  // The signature of seconds in a time zone has another name in cel-go.
  const withZone =
    suffix === "seconds" ? "timestamp_to_seconds_tz" : `timestamp_to_${suffix}_with_tz`;
  return {
    name,
    overloads: [
      memberOverload(`timestamp_to_${suffix}`, [timestampType], intType, (time) =>
        inZone(time, "UTC"),
      ),
      memberOverload(withZone, [timestampType, stringType], intType, inZone),
      ...ofDurations,
    ],
  };
}

/** Returns the signature that reads a whole duration in a unit. */
function wholeUnits(suffix: string, nanoseconds: bigint): Overload {
  return memberOverload(
    `duration_to_${suffix}`,
    [durationType],
    intType,
    (duration): CelInt | CelFailure => checkedInt(duration.nanoseconds / nanoseconds),
  );
}

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  start.setUTCHours(0, 0, 0, 0);
  return Math.floor((date.getTime() - start.getTime()) / dayMs);
}
