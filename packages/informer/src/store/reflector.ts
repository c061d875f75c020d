import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../handlers/change.js";
import type { FollowEvent } from "../watcher/follow-event.js";
import { objectKey } from "./object-key.js";
import type { Store } from "./store.js";

/**
 * Keeps a store as follow events say. The first events build a picture beside the store; when it is whole it takes the store's
 * place, so that nobody ever sees half of one.
 */
export class Reflector<T extends KubeObject> {
  /** The version up to which the store shows the server; "" before the first picture. */
  resourceVersion = "";
  /** Whether the store has been whole at least once. */
  isSynced = false;
  readonly #store: Store<T>;
  #picture = new Map<string, Live<T>>();
  #isReceivingPicture = true;

  constructor(store: Store<T>) {
    this.#store = store;
  }

  /** How many objects of an unfinished picture are here. */
  get received(): number {
    return this.#picture.size;
  }

  /** Takes events in and says what changed in the store. */
  take(events: readonly FollowEvent<T>[]): Change<T>[] {
    const changes: Change<T>[] = [];
    for (const event of events) {
      switch (event.type) {
        case "initial":
          this.#picture.set(objectKey(event.object), event.object);
          break;
        case "synced":
          this.#swap(event.resourceVersion, changes);
          break;
        case "applied":
          collect(this.#store.apply(event.object), changes);
          this.resourceVersion = event.object.metadata.resourceVersion;
          break;
        case "deleted":
          this.#delete(event.object, changes);
          break;
        case "bookmark":
          this.resourceVersion = event.resourceVersion;
          break;
        case "gap":
          this.#picture = new Map();
          this.#isReceivingPicture = true;
          break;
        default:
          event satisfies never;
      }
    }
    return changes;
  }

  #delete(object: Live<T>, changes: Change<T>[]): void {
    if (this.#isReceivingPicture) {
      this.#picture.delete(objectKey(object));
      return;
    }
    collect(this.#store.delete(object), changes);
    this.resourceVersion = object.metadata.resourceVersion;
  }

  #swap(resourceVersion: string, changes: Change<T>[]): void {
    for (const change of this.#store.replace(this.#picture)) {
      changes.push(change.type === "add" && !this.isSynced ? { ...change, initial: true } : change);
    }
    this.#picture = new Map();
    this.#isReceivingPicture = false;
    this.resourceVersion = resourceVersion;
    this.isSynced = true;
  }
}

function collect<T extends KubeObject>(change: Change<T> | undefined, changes: Change<T>[]): void {
  if (change !== undefined) {
    changes.push(change);
  }
}
