import type { KubeError } from "@typekube/core";

/** Tells a client that was closed from a connection that was taken away, which fails in the same words: only a client stays closed. */
export class ClosedClient {
  #wasClosed = false;

  /** Something came: the client is open. */
  received(): void {
    this.#wasClosed = false;
  }

  /** Whether a failure says that the client was closed, as the one before it did: nothing can be asked through it any more. */
  isSaidBy({ code, status }: KubeError): boolean {
    // No server says so: that would come with a Status.
    const isClosed = code === "Closed" && status === undefined;
    const isSaidAgain = isClosed && this.#wasClosed;
    this.#wasClosed = isClosed;
    return isSaidAgain;
  }
}
