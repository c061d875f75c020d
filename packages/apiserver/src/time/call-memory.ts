import { PendingCall } from "./pending-call.js";

/** The outcome of a call: what it resolved to, or why it failed. */
export type CallOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Error };

/** A call with the text that identifies it: two calls with the same key have the same outcome. */
export interface RememberedCall<T> {
  readonly key: string;
  readonly call: () => Promise<T>;
}

/** Outcomes of the calls that the attempts of one step have made. */
export class CallMemory<T> {
  readonly #outcomes = new Map<string, CallOutcome<T>>();

  /**
   * Returns the outcome of a call.
   *
   * @throws {PendingCall} when it was not made yet.
   */
  outcome(call: RememberedCall<T>): CallOutcome<T> {
    const known = this.#outcomes.get(call.key);
    if (known === undefined) {
      throw this.#pending([call]);
    }
    return known;
  }

  /**
   * Requires the outcomes of several calls.
   *
   * @throws {PendingCall} when some were not made yet. All of these are made at the same time.
   */
  require(calls: readonly RememberedCall<T>[]): void {
    const missing = calls.filter(({ key }) => !this.#outcomes.has(key));
    if (missing.length > 0) {
      throw this.#pending(missing);
    }
  }

  #pending(calls: readonly RememberedCall<T>[]): PendingCall {
    return new PendingCall(async () => {
      await Promise.all(calls.map((call) => this.#make(call)));
    });
  }

  async #make({ key, call }: RememberedCall<T>): Promise<void> {
    try {
      this.#outcomes.set(key, { ok: true, value: await call() });
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      this.#outcomes.set(key, { ok: false, error: reason });
    }
  }
}
