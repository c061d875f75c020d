import { type Clock, systemClock } from "./clock.js";

/**
 * Returns a time in the form of `MicroTime` fields, such as a Lease's `renewTime`: RFC 3339 in UTC with six fractional
 * digits, `2026-01-01T00:00:00.123000Z`. Plain `Time` fields hold whole seconds: use `new Date().toISOString()`, whose
 * fraction servers drop.
 *
 * @param at - a Date, or milliseconds since the epoch with up to three decimals. Default: now.
 * @param clock - source of the current time. Default: the system's clock.
 * @throws {RangeError} for a time that a Date cannot hold.
 */
export function microTime(at?: Date | number, clock: Clock = systemClock): string {
  const ms = at === undefined ? clock.now() : typeof at === "number" ? at : at.getTime();
  const whole = Math.floor(ms);
  const micros = Math.min(999, Math.floor((ms - whole) * 1_000 + 1e-6));
  const [head = ""] = new Date(whole).toISOString().split("Z");
  return `${head}${String(micros).padStart(3, "0")}Z`;
}
