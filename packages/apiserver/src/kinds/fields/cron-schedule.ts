import { readGoDuration } from "@typekube/core/internal/go-time";
import { goQuoted } from "../../errors/go-value.js";

/** Numbers selected by one field of a schedule. */
export interface ScheduleField {
  readonly numbers: ReadonlySet<number>;
  /** `true` for `*` and `?` without a step: such a day field does not restrict the other one. */
  readonly isAny: boolean;
}

/** A cron schedule, or the reason why a text is not one. */
export type CronSchedule =
  | {
      readonly minute: ScheduleField;
      readonly hour: ScheduleField;
      readonly date: ScheduleField;
      readonly month: ScheduleField;
      readonly weekday: ScheduleField;
      readonly problem?: undefined;
      readonly everyMs?: undefined;
    }
  | { readonly everyMs: number; readonly problem?: undefined }
  | { readonly problem: string };

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdayNames = "sun mon tue wed thu fri sat".split(" ");
const minutes: Bounds = { least: 0, most: 59, names: [] };
const hours: Bounds = { least: 0, most: 23, names: [] };
const dates: Bounds = { least: 1, most: 31, names: [] };
const months: Bounds = { least: 1, most: 12, names: monthNames };
const weekdays: Bounds = { least: 0, most: 6, names: weekdayNames };

const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const every = "@every ";
const fieldCount = 5;
const nanosecondsPerSecond = 1_000_000_000n;
/** White space according to Go's `unicode.IsSpace`. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const maxInteger = 2n ** 63n - 1n;

/** Thrown to abort parsing. */
class Unreadable extends Error {}

/** Parses the schedule of a CronJob like kube-apiserver (`robfig/cron`), with its messages for problems. */
export function readSchedule(text: string): CronSchedule {
  if (text.includes("TZ")) {
    return { problem: "cannot use TZ or CRON_TZ in schedule, use timeZone field instead" };
  }
  const described = descriptors.get(text);
  if (text.startsWith("@") && described === undefined) {
    return text.startsWith(every)
      ? readEvery(text)
      : { problem: `unrecognized descriptor: ${text}` };
  }
  const parts = (described ?? text).split(spaces).filter((part) => part !== "");
  if (parts.length !== fieldCount) {
    const found = `found ${parts.length}: [${parts.join(" ")}]`;
    return { problem: `expected exactly ${fieldCount} fields, ${found}` };
  }
  const [minute = "", hour = "", date = "", month = "", weekday = ""] = parts;
  try {
    return {
      minute: readField(minute, minutes),
      hour: readField(hour, hours),
      date: readField(date, dates),
      month: readField(month, months),
      weekday: readField(weekday, weekdays),
    };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { problem: error.message };
    }
    throw error;
  }
}

/** Parses an `@every` interval, which is rounded down to whole seconds, at least one. */
function readEvery(text: string): CronSchedule {
  const duration = readGoDuration(text.slice(every.length));
  if (duration.problem !== undefined) {
    return { problem: `failed to parse duration ${text}: time: ${duration.problem}` };
  }
  const seconds = Number(duration.nanoseconds / nanosecondsPerSecond);
  return { everyMs: Math.max(1, seconds) * 1_000 };
}

function readField(text: string, bounds: Bounds): ScheduleField {
  const numbers = new Set<number>();
  let isAny = false;
  for (const range of text.split(",").filter((one) => one !== "")) {
    const { from, to, step, isWild } = readRange(range, bounds);
    isAny ||= isWild && step === 1;
    for (let one = from; one <= to; one += step) {
      numbers.add(one);
    }
  }
  return { numbers, isAny };
}

function readRange(range: string, bounds: Bounds) {
  const { least, most } = bounds;
  const [span = "", stepText, ...steps] = range.split("/");
  const [low = "", high, ...ends] = span.split("-");
  const isWild = low === "*" || low === "?";
  const from = isWild ? least : numberOf(low, bounds);
  let to = isWild ? most : from;
  if (!isWild && high !== undefined) {
    if (ends.length > 0) {
      throw new Unreadable(`too many hyphens: ${range}`);
    }
    to = numberOf(high, bounds);
  }
  if (steps.length > 0) {
    throw new Unreadable(`too many slashes: ${range}`);
  }
  const step = stepText === undefined ? 1 : integerOf(stepText);
  // A single number with a step starts a range that ends at the maximum.
  if (stepText !== undefined && high === undefined) {
    to = most;
  }
  if (from < least) {
    throw new Unreadable(`beginning of range (${from}) below minimum (${least}): ${range}`);
  }
  if (to > most) {
    throw new Unreadable(`end of range (${to}) above maximum (${most}): ${range}`);
  }
  if (from > to) {
    throw new Unreadable(`beginning of range (${from}) beyond end of range (${to}): ${range}`);
  }
  if (step === 0) {
    throw new Unreadable(`step of range should be a positive number: ${range}`);
  }
  return { from, to, step, isWild };
}

function numberOf(text: string, { names, least }: Bounds): number {
  const at = names.indexOf(text.toLowerCase());
  return at >= 0 ? at + least : integerOf(text);
}

/** Parses an integer like Go's `strconv.Atoi`, without negative numbers. */
function integerOf(text: string): number {
  const fail = (why: string) =>
    new Unreadable(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuoted(text)}: ${why}`,
    );
  if (!/^[-+]?[0-9]+$/.test(text)) {
    throw fail("invalid syntax");
  }
  const value = BigInt(text.replace("+", ""));
  if (value > maxInteger || value < -maxInteger - 1n) {
    throw fail("value out of range");
  }
  if (value < 0n) {
    throw new Unreadable(`negative number (${value}) not allowed: ${text}`);
  }
  return Number(value);
}
