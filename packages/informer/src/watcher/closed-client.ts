import type { KubeError } from "@typekube/core";

/** Distinguishes a closed client from a closed connection, which fails with the same error: only a client stays closed. */
export class ClosedClient {
  #wasClosed = false;

  /** Called when something arrived: the client is open. */
  received(): void {
    this.#wasClosed = false;
  }

  /** Returns true when this failure and the one before it report a closed client: no request is possible any more. */
  confirms({ code, status }: KubeError): boolean {
    // An error from a server would carry a Status.
    const isClosed = code === "Closed" && status === undefined;
    const isRepeated = isClosed && this.#wasClosed;
    this.#wasClosed = isClosed;
    return isRepeated;
  }
}
