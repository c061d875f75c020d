/** A point in time in nanoseconds since 1970-01-01T00:00:00Z, exact; from year 1 to year 9999. */
export class CelTimestamp {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}
