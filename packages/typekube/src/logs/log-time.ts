/** A time in RFC 3339, comparable across offsets without losing nanoseconds. */
export interface LogTime {
  /** Milliseconds since the epoch of its whole second. */
  readonly ms: number;
  readonly nanos: number;
}

/** Returns the time; `undefined` for a text that is not one. */
export function readLogTime(text: string): LogTime | undefined {
  const [, second, digits = "", offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  return second === undefined
    ? undefined
    : { ms: Date.parse(`${second}${offset}`), nanos: Number(digits.padEnd(9, "0")) };
}

/** Returns a number below 0 when the first time is earlier, above 0 when it is later. */
export function compareTimes(one: LogTime, other: LogTime): number {
  return one.ms - other.ms || one.nanos - other.nanos;
}
