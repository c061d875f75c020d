/**
 * Thrown by a synchronous step that needs the outcome of an asynchronous call first, such as a conversion or the review
 * of a webhook.
 */
export class PendingCall extends Error {
  override readonly name = "PendingCall";
  /** Makes the call and keeps its outcome for the next attempt. Rejects when there can be no further attempt. */
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super("the step needs the outcome of a call first");
    this.prepare = prepare;
  }
}

/** Maximum number of attempts of one step: a write needs one for each mutating webhook that it calls. */
const maxAttempts = 1_000;

/**
 * Runs a step that must be synchronous, such as a write. If it needs an asynchronous call, the step is aborted, the call
 * is made, and the step is run again on the state then stored.
 *
 * @param again - called before each further attempt.
 */
export async function withPendingCalls<T>(step: () => T, again: () => void = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof PendingCall) || attempt === maxAttempts) {
        throw error;
      }
      await error.prepare();
      again();
    }
  }
}
