import type { StoreEvent } from "../../store/history.js";
import type { Store } from "../../store/store.js";
import type { Controller } from "./controller.js";
import type { OwnerIndex } from "./owner-index.js";
import type { WorkQueue } from "./work-queue.js";

/** The controllers of a server and what an event needs to reach them. */
export interface Dispatch {
  readonly store: Store;
  readonly index: OwnerIndex;
  readonly queue: WorkQueue;
  readonly controllers: readonly Controller[];
}

/**
 * Queues the keys that each write concerns, for each controller that follows its storage. Existing objects count as
 * new.
 *
 * @returns a function that ends it.
 */
export function dispatchEvents(dispatch: Dispatch): () => void {
  const { store, index, queue, controllers } = dispatch;
  const followers = new Map<string, readonly Controller[]>();
  let isStarting = true;
  // No delay for objects that the server creates at startup: no client could be updating them.
  queueMicrotask(() => {
    isStarting = false;
  });
  const notify = (event: StoreEvent, storage: string) => {
    index.record(event, storage);
    const followed = followers.get(storage) ?? followersOf(controllers, storage);
    followers.set(storage, followed);
    for (const controller of followed) {
      for (const key of controller.keysOf(event, storage)) {
        queue.add(controller, key, isStarting ? 0 : undefined);
      }
    }
  };
  for (const [storage, collection] of store.collections()) {
    for (const [key, object] of collection.entries("")) {
      const { namespace = "" } = object.metadata;
      notify({ type: "ADDED", revision: store.revision, key, namespace, object }, storage);
    }
  }
  return store.onCommit(notify);
}

function followersOf(controllers: readonly Controller[], storage: string): readonly Controller[] {
  return controllers.filter(({ follows }) => follows?.includes(storage) ?? true);
}
