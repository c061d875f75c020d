const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** The parts of an RFC 3339 time; they may be out of range. */
export interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the decimal point; empty without one. */
  readonly fraction: string;
  /** Offset from UTC. */
  readonly zone: { readonly sign: -1 | 1; readonly hours: number; readonly minutes: number };
}

/** Splits a time like Go: the hour may have one digit, and a comma may replace the decimal point. */
export function timeParts(text: string): TimeParts | undefined {
  const match = form.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, fraction = "", sign, hours, minutes] = match;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction,
    zone: { sign: sign === "-" ? -1 : 1, hours: Number(hours ?? 0), minutes: Number(minutes ?? 0) },
  };
}
