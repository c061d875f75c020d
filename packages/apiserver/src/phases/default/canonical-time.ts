import { timeParts } from "@typekube/core/internal/go-time";

const seconds = /^(?!0000|0001-01-01T00:00:00Z)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const microseconds = /^(?!0000|0001-01-01T00:00:00\.0+Z)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
/** The first second of year 1: Go's zero time, which is written as null. */
const zeroTimeMs = -62_135_596_800_000;

/** Normalizes a time to UTC with whole seconds. Other values are returned unchanged. (metav1 `Time`) */
export function canonicalTime(value: unknown): unknown {
  return typeof value !== "string" || seconds.test(value) ? value : inUtc(value, 0);
}

/** Normalizes a time to UTC with microseconds. Other values are returned unchanged. (metav1 `MicroTime`) */
export function canonicalMicroTime(value: unknown): unknown {
  return typeof value !== "string" || microseconds.test(value) ? value : inUtc(value, 6);
}

function inUtc(text: string, digits: number): unknown {
  const parts = timeParts(text);
  if (parts === undefined) {
    return text;
  }
  const { year, month, day, hour, minute, second, fraction, zone } = parts;
  const date = new Date(0);
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - zone.sign * (zone.hours * 60 + zone.minutes), second);
  const kept = fraction.slice(0, digits).padEnd(digits, "0");
  if (date.getTime() === zeroTimeMs && !/[1-9]/.test(kept)) {
    return null;
  }
  const [, rest = ""] = /(-\d\d-\d\dT.*)\.000Z$/.exec(date.toISOString()) ?? [];
  return `${yearText(date.getUTCFullYear())}${rest}${digits === 0 ? "" : `.${kept}`}Z`;
}

function yearText(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}
