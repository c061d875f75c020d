/** A point in time in nanoseconds since 1970-01-01T00:00:00Z, exact; from year 1 to year 9999. */
export class CelTimestamp {
  readonly nanoseconds: bigint;
  /** Offset from UTC of the text that it was read from; only `string(timestamp)` shows it. */
  readonly offsetMinutes: number;

  constructor(nanoseconds: bigint, offsetMinutes = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }
}
