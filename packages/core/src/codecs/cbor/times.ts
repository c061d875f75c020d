import { decodeError } from "../decode-error.js";

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-](\d\d):(\d\d))$/;

/** Validates an RFC 3339 time and returns it as Go writes it: without trailing zeros in its fraction. */
export function normalTime(text: unknown): string {
  const parts = typeof text === "string" ? rfc3339.exec(text) : null;
  if (parts === null) {
    throw decodeError("a time is not RFC 3339");
  }
  const [, year, month, day, hour, minute, second, fraction = "", zone = "", zoneHour, zoneMinute] =
    parts;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // Date.parse turns a day that the month lacks into another day, so the result must match the input.
  const parsed = Date.parse(`${date}Z`);
  if (
    Number.isNaN(parsed) ||
    new Date(parsed).toISOString().slice(0, date.length) !== date ||
    Number(zoneHour ?? 0) > 24 ||
    Number(zoneMinute ?? 0) >= 60
  ) {
    throw decodeError("a time is not RFC 3339");
  }
  return `${date}${fractionText(fraction)}${/^[+-]00:00$/.test(zone) ? "Z" : zone}`;
}

/** Converts seconds since 1970 to an RFC 3339 time. */
export function epochTime(seconds: unknown): string {
  if (typeof seconds !== "number" && typeof seconds !== "bigint") {
    throw decodeError("a time is not a number");
  }
  const number = Number(seconds);
  // Split towards zero, as Go does; that makes the nanoseconds negative before 1970.
  const whole = Math.trunc(number);
  const nanos = Math.trunc((number - whole) * 1e9);
  const date = new Date((nanos < 0 ? whole - 1 : whole) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) {
    throw decodeError("a time is outside of the years 0 to 9999");
  }
  const fraction = String(nanos < 0 ? nanos + 1e9 : nanos).padStart(9, "0");
  return `${date.toISOString().slice(0, "2000-01-01T00:00:00".length)}${fractionText(fraction)}Z`;
}

function fractionText(fraction: string): string {
  const digits = fraction.slice(0, 9).replace(/0+$/, "");
  return digits === "" ? "" : `.${digits}`;
}
