/** Thrown by a synchronous step that needs an object in another version, which must be converted first. */
export class PendingConversion extends Error {
  override readonly name = "PendingConversion";
  /** Runs the conversion. */
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super("the object must be converted first");
    this.prepare = prepare;
  }
}

/** Maximum number of conversions that one step may require. */
const maxRounds = 100;

/**
 * Runs a step that must be synchronous, such as a write. If it needs an asynchronous conversion, the step is aborted,
 * the objects are converted, and the step is run again on the state then stored.
 *
 * @param again - called before each further attempt.
 */
export async function withConversions<T>(step: () => T, again: () => void = () => {}): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof PendingConversion) || round === maxRounds) {
        throw error;
      }
      await error.prepare();
      again();
    }
  }
}
