import { stringifyJson } from "@typekube/core/internal";
import { type Attempts, beginAttempts } from "../../context/attempts.js";
import type { ServerContext } from "../../context/server-context.js";
import { PendingCall } from "../../time/pending-call.js";

/** Maximum number of writes that wait for a webhook, beyond which all are begun again. */
const maxPending = 1_000;

/** Identifies a write: a controller that reconciles again writes the same object in the same way. */
export type WriteIdentity = readonly [
  verb: string,
  storage: string,
  object: unknown,
  more?: unknown,
];

/** Writes of controllers that wait for webhooks. The reconcile is run again later, and then finds their outcomes here. */
export class PendingWrites {
  readonly #server: ServerContext;
  readonly #attempts = new Map<string, Attempts>();

  constructor(server: ServerContext) {
    this.#server = server;
  }

  /**
   * Attempts a write.
   *
   * @throws {PendingCall} when a webhook must be called first; the write must then be attempted again.
   */
  attempt<T>(identity: WriteIdentity, write: (attempts: Attempts) => T): T {
    const attempts = this.#begun(identity);
    try {
      return write(attempts);
    } catch (error) {
      if (error instanceof PendingCall) {
        this.#keep(identity, attempts);
      }
      throw error;
    }
  }

  /** Returns the attempts of a write that is waiting, or begins the first one. */
  #begun(identity: WriteIdentity): Attempts {
    // The key is only computed when it matters: most servers have no webhooks.
    const key = this.#attempts.size === 0 ? "" : stringifyJson(identity);
    const known = this.#attempts.get(key);
    if (known === undefined) {
      return beginAttempts(this.#server);
    }
    this.#attempts.delete(key);
    known.restart();
    return known;
  }

  #keep(identity: WriteIdentity, attempts: Attempts): void {
    if (this.#attempts.size >= maxPending) {
      this.#attempts.clear();
    }
    this.#attempts.set(stringifyJson(identity), attempts);
  }
}
