/** Raised inside a step that needs an object in another version, which has to be asked for first. */
export class PendingConversion extends Error {
  override readonly name = "PendingConversion";
  /** Asks for it. */
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super("an object has to be converted first");
    this.prepare = prepare;
  }
}

/** How often a step may find that it needs one more conversion. */
const maxRounds = 100;

/**
 * Runs a step that must happen at once, such as a write. Where it needs a conversion that takes time, it is given up,
 * the conversion is made, and the step begins anew on what is stored by then.
 *
 * @param again - is called before each further attempt.
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
