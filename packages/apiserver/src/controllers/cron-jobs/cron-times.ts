const minuteMs = 60_000;
const hourMs = 3_600_000;
/** How far ahead a schedule is looked for; one that never comes up, such as 30 February, ends there. */
const horizonMs = 5 * 366 * 24 * hourMs;

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** When a schedule comes up. */
export interface CronTimes {
  /** The first time after a moment, in milliseconds since the epoch; `undefined` when there is none for years. */
  after(moment: number): number | undefined;
}

/**
 * Reads a schedule of cron, which the server has checked.
 *
 * @param timeZone - whose clock the schedule means, by its IANA name. Default: UTC.
 */
export function cronTimes(schedule: string, timeZone: string = "UTC"): CronTimes {
  const every = /^@every (.+)$/.exec(schedule)?.[1];
  if (every !== undefined) {
    const step = Math.max(1_000, durationMs(every));
    return { after: (moment) => moment + step };
  }
  const [minutes = "*", hours = "*", dates = "*", monthField = "*", weekdays = "*"] = (
    descriptors[schedule] ?? schedule
  )
    .trim()
    .split(/\s+/);
  const minute = numbers(minutes, 0, 59);
  const hour = numbers(hours, 0, 23);
  const date = numbers(dates, 1, 31);
  const month = numbers(monthField, 1, 12, months, 1);
  const weekday = numbers(weekdays, 0, 6, days);
  const isAny = (field: string) => field.startsWith("*") || field.startsWith("?");
  const isDay = (day: number, ofWeek: number) =>
    isAny(dates) || isAny(weekdays)
      ? date.has(day) && weekday.has(ofWeek)
      : date.has(day) || weekday.has(ofWeek);
  const read = wallClock(timeZone);
  return {
    after(moment) {
      let time = Math.floor(moment / minuteMs) * minuteMs + minuteMs;
      for (const end = moment + horizonMs; time < end; ) {
        const wall = read(time);
        if (!month.has(wall.month) || !isDay(wall.date, wall.weekday) || !hour.has(wall.hour)) {
          // To the next full hour of the wall: there are zones that are half an hour off.
          time += hourMs - wall.minute * minuteMs;
        } else if (minute.has(wall.minute)) {
          return time;
        } else {
          time += minuteMs;
        }
      }
      return undefined;
    },
  };
}

function numbers(
  field: string,
  least: number,
  most: number,
  names: readonly string[] = [],
  first = 0,
): Set<number> {
  const found = new Set<number>();
  const numberOf = (text: string) => {
    const at = names.indexOf(text.toLowerCase());
    return at < 0 ? Number(text) : at + first;
  };
  for (const range of field.split(",")) {
    const [span = "*", step] = range.split("/");
    const isAll = span === "*" || span === "?";
    const [from = "", to] = span.split("-");
    const begin = isAll ? least : numberOf(from);
    const end = isAll
      ? most
      : to === undefined
        ? step === undefined
          ? begin
          : most
        : numberOf(to);
    for (let one = begin; one <= end; one += Number(step ?? 1) || 1) {
      found.add(one);
    }
  }
  return found;
}

interface Wall {
  readonly minute: number;
  readonly hour: number;
  readonly date: number;
  readonly month: number;
  readonly weekday: number;
}

function wallClock(timeZone: string): (time: number) => Wall {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") {
    return (time) => {
      const at = new Date(time);
      return {
        minute: at.getUTCMinutes(),
        hour: at.getUTCHours(),
        date: at.getUTCDate(),
        month: at.getUTCMonth() + 1,
        weekday: at.getUTCDay(),
      };
    };
  }
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    minute: "numeric",
    hour: "numeric",
    day: "numeric",
    month: "numeric",
    weekday: "short",
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return {
      minute: Number(parts.get("minute")),
      hour: Number(parts.get("hour")),
      date: Number(parts.get("day")),
      month: Number(parts.get("month")),
      weekday: days.indexOf((parts.get("weekday") ?? "").toLowerCase()),
    };
  };
}

const units: Readonly<Record<string, number>> = { h: hourMs, m: minuteMs, s: 1_000, ms: 1 };

function durationMs(text: string): number {
  return [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
}
