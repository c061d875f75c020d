import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import type { ServerContext } from "../context/server-context.js";

/** A resource that is closed with its server. */
export interface OwnedPart {
  /** With `isGraceful`, requests in progress are completed. */
  close(options?: { readonly isGraceful?: boolean }): Promise<void>;
}

/** The shutdown of a server and its owned resources. */
export interface Lifetime {
  /** Registers a resource to close with the server. */
  own(part: OwnedPart): void;
  /** Returns whether listeners or replicas are registered. */
  hasParts(): boolean;
  /**
   * Closes the server; can be called repeatedly.
   *
   * @param options - `delayMs`: see {@link CloseOptions.delayMs} of the server.
   */
  close(options?: { readonly delayMs?: number | undefined }): Promise<void>;
}

/**
 * Creates the lifetime of one server.
 *
 * @param closing - aborted on close: from then on requests are rejected.
 * @param stopActors - stops controllers and other background work.
 */
export function createLifetime(
  context: ServerContext,
  closing: AbortController,
  stopActors: () => void,
): Lifetime {
  const parts: OwnedPart[] = [];
  const endAll = async (isGraceful: boolean) => {
    context.watches.endAll();
    await Promise.all(parts.splice(0).map((part) => part.close({ isGraceful })));
  };
  return {
    own: (part) => void parts.push(part),
    hasParts: () => parts.length > 0,
    async close({ delayMs } = {}) {
      const { signal } = closing;
      if (delayMs !== undefined && !signal.aborted) {
        context.isDraining = true;
        await sleep(context.clock, delayMs, signal).catch(() => {});
        await endAll(true);
      }
      if (!signal.aborted) {
        closing.abort(new KubeError("ConnectionClosed", "the embedded server is closed"));
      }
      stopActors();
      await endAll(false);
    },
  };
}
