/** A duration in nanoseconds, exact; the type checker calls it "duration". */
export class CelDuration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}
