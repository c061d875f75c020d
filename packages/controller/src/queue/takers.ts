import { allowManyListeners } from "@typekube/core/internal";
import { type Linked, LinkedList } from "./entries/linked-list.js";
import type { TakenKey } from "./work-queue.js";

/** A call that waits for a key. */
interface Taker extends Linked<Taker> {
  readonly resolve: (taken: TakenKey | undefined) => void;
}

/** The calls that wait for a key; the first that came is the first that gets one. */
export class Takers {
  readonly #waiting = new LinkedList<Taker>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for a key. Rejects with the signal's reason when the signal aborts. */
  wait(signal: AbortSignal | undefined): Promise<TakenKey | undefined> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.remove(taker);
        reject(signal?.reason);
      };
      const taker: Taker = {
        resolve(taken) {
          signal?.removeEventListener("abort", onAbort);
          resolve(taken);
        },
        prev: undefined,
        next: undefined,
      };
      this.#waiting.push(taker);
      allowManyListeners(signal);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Gives a key to the first taker; `undefined` if the queue has no more keys. */
  resolveFirst(taken: TakenKey | undefined): void {
    this.#waiting.shift()?.resolve(taken);
  }
}
