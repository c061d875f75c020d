import { readSchedule } from "../../kinds/fields/cron-schedule.js";

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Maximum time to search ahead; the search for a time that never occurs, such as 30 February, ends there. */
const horizonMs = 5 * 366 * 24 * hourMs;

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Due times of a schedule. */
export interface CronTimes {
  /**
   * Returns the first due time after a moment, in milliseconds since the epoch; `undefined` when none follows within
   * five years.
   */
  after(moment: number): number | undefined;
}

/**
 * Reads a cron schedule that the server has validated.
 *
 * @param timeZone - IANA name of the schedule's time zone. Default: UTC.
 */
export function cronTimes(schedule: string, timeZone: string = "UTC"): CronTimes {
  const read = readSchedule(schedule);
  if (read.problem !== undefined) {
    return { after: () => undefined };
  }
  if (read.everyMs !== undefined) {
    const { everyMs } = read;
    return { after: (moment) => Math.floor(moment / 1_000) * 1_000 + everyMs };
  }
  const { minute, hour, date, month, weekday } = read;
  const isDay = (day: number, ofWeek: number) =>
    date.isAny || weekday.isAny
      ? date.numbers.has(day) && weekday.numbers.has(ofWeek)
      : date.numbers.has(day) || weekday.numbers.has(ofWeek);
  const wallAt = wallClock(timeZone);
  return {
    after(moment) {
      let time = Math.floor(moment / minuteMs) * minuteMs + minuteMs;
      for (const end = moment + horizonMs; time < end; ) {
        const wall = wallAt(time);
        if (
          !month.numbers.has(wall.month) ||
          !isDay(wall.date, wall.weekday) ||
          !hour.numbers.has(wall.hour)
        ) {
          // Skip to the next full hour of local time: some zones are offset by half an hour.
          time += hourMs - wall.minute * minuteMs;
        } else if (minute.numbers.has(wall.minute)) {
          return time;
        } else {
          time += minuteMs;
        }
      }
      return undefined;
    },
  };
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
