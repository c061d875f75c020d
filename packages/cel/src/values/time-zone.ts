import type { CelTimestamp } from "./cel-timestamp.js";
import { nanosecondsPerSecond } from "./time-arithmetic.js";

/** Largest number of time zones whose formatter is kept. */
const maxFormatters = 100;

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the calendar of a timestamp in a time zone, as a Date whose UTC parts are the local ones, exact to
 * milliseconds.
 *
 * @param zone - A name such as "America/Los_Angeles" or an offset such as "-08:00".
 * @returns `undefined` for an unknown zone.
 */
export function localDate({ nanoseconds }: CelTimestamp, zone: string): Date | undefined {
  const rest = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const milliseconds = Number((nanoseconds - rest) / 1_000_000n + rest / 1_000_000n);
  const offset = zone.includes(":") ? fixedOffset(zone) : namedOffset(zone, milliseconds);
  return offset === undefined ? undefined : new Date(milliseconds + offset);
}

/** Reads hours and minutes as cel-go does; it does not check their range. */
function fixedOffset(zone: string): number | undefined {
  const [, hours, minutes] = /^([+-]?\d+):([+-]?\d+)$/.exec(zone) ?? [];
  if (hours === undefined || minutes === undefined) {
    return undefined;
  }
  const total = Number(hours) * 60 + (zone.startsWith("-") ? -Number(minutes) : Number(minutes));
  return total * 60_000;
}

function namedOffset(zone: string, milliseconds: number): number | undefined {
  if (zone === "" || zone === "UTC") {
    return 0;
  }
  const formatter = formatterOf(zone);
  if (formatter === undefined) {
    return undefined;
  }
  const parts = new Map(
    formatter.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  // The calendar repeats every 400 years of 146,097 days; Date.UTC misreads the years 0 to 99.
  const local =
    Date.UTC(
      part("year") + 400,
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    ) -
    146_097 * 86_400_000;
  return local - Math.floor(milliseconds / 1_000) * 1_000;
}

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined) {
    return known;
  }
  try {
    const formatter = new Intl.DateTimeFormat("en-US-u-ca-iso8601", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    if (formatters.size >= maxFormatters) {
      formatters.clear();
    }
    formatters.set(zone, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}
