import { describe, expect, it } from "vitest";
import { cronTimes } from "../src/controllers/cron-jobs/cron-times.js";

const from = Date.UTC(2026, 0, 1, 0, 0, 30);

function next(schedule: string, timeZone?: string, after = from): string | undefined {
  const time = cronTimes(schedule, timeZone).after(after);
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
}

describe("ES22: times of a schedule", () => {
  it.each([
    ["* * * * *", "2026-01-01T00:01"],
    ["*/15 * * * *", "2026-01-01T00:15"],
    ["5/20 * * * *", "2026-01-01T00:05"],
    ["0 9-17/4 * * *", "2026-01-01T09:00"],
    ["30 4 1,15 * *", "2026-01-01T04:30"],
    ["0 0 * * MON", "2026-01-05T00:00"],
    ["0 0 13 * fri", "2026-01-02T00:00"],
    ["0 0 29 2 *", "2028-02-29T00:00"],
    ["0 0 1 mar *", "2026-03-01T00:00"],
    ["@hourly", "2026-01-01T01:00"],
    ["@monthly", "2026-02-01T00:00"],
    ["@weekly", "2026-01-04T00:00"],
    ["0 0 */10 * 5", "2026-01-02T00:00"],
    ["0 0 */10 * *", "2026-01-11T00:00"],
    ["5, * * * *", "2026-01-01T00:05"],
    ["+7 * * * *", "2026-01-01T00:07"],
  ])("a CronJob with the schedule %s is next due at %s", (schedule, expected) => {
    expect(next(schedule)).toBe(expected);
  });

  it("follow a time zone, including half-hour offsets and daylight saving time", () => {
    expect(next("0 9 * * *", "Asia/Kolkata")).toBe("2026-01-01T03:30");
    expect(next("0 9 * * *", "Europe/Berlin")).toBe("2026-01-01T08:00");
    expect(next("0 9 * * *", "Europe/Berlin", Date.UTC(2026, 6, 1))).toBe("2026-07-01T07:00");
  });

  it("are undefined for a schedule that never occurs", () => {
    expect(next("0 0 30 2 *")).toBeUndefined();
    expect(next(", * * * *")).toBeUndefined();
  });

  it("of @every are whole seconds after the last time, at least one and at most 292 years", () => {
    expect(next("@every 90s")).toBe("2026-01-01T00:02");
    expect(cronTimes("@every -1h").after(from + 1)).toBe(from + 1_000);
    expect(cronTimes("@every 1.9s").after(from)).toBe(from + 1_000);
    expect(next("@every 2562047h47m16s")).toBe("2318-04-12T23:47");
    expect(next(`@every ${"9".repeat(350)}s`)).toBeUndefined();
  });
});
