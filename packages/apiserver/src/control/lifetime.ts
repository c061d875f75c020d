import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import type { ServerContext } from "../server-context.js";

/** Something that ends with its server. */
export interface OwnedPart {
  /** `isGraceful`: what was begun is completed. */
  close(options?: { readonly isGraceful?: boolean }): Promise<void>;
}

/** How a server ends, and what ends with it. */
export interface Lifetime {
  /** Closes a part together with the server. */
  own(part: OwnedPart): void;
  /** Whether there are such parts: listeners, replicas. */
  readonly hasParts: boolean;
  /**
   * Ends the server; can be called again.
   *
   * @param options - `delayMs`: see {@link CloseOptions.delayMs} of the server.
   */
  close(options?: { readonly delayMs?: number | undefined }): Promise<void>;
}

/**
 * The lifetime of one server.
 *
 * @param closing - aborted when it is over: requests are refused from then on.
 * @param stopActors - ends what acts by itself.
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
    get hasParts() {
      return parts.length > 0;
    },
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
