import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../handlers/change.js";
import type { FollowEvent } from "../watcher/follow-event.js";
import { isStaleSnapshot } from "../watcher/stale-snapshot.js";
import type { CacheTransform } from "./cache-transform.js";
import { isOlderVersion } from "./is-older-version.js";
import { isVersion } from "./is-version.js";
import { objectKey } from "./object-key.js";
import type { Snapshot } from "./snapshot.js";
import { isEqualState, isSameState, type Store } from "./store.js";

/** Deletions, and objects left out by a transform, whose versions are remembered. What comes late comes soon after. */
const maxTombstones = 1_000;

/**
 * Keeps a store as follow events say. The first events build a picture beside the store; when it is whole it takes the store's
 * place, so that nobody ever sees half of one.
 */
export class Reflector<T extends KubeObject> {
  /** The version up to which the store shows the server; "" before the first picture. */
  resourceVersion = "";
  /** Whether the store has been whole at least once. */
  isSynced = false;
  /** How many objects of an unfinished picture have come. */
  received = 0;
  /** Events that were left out because something newer of the object is here. */
  stale = 0;
  readonly #store: Store<T>;
  readonly #intake: CacheTransform<T>;
  /** The one that is under way; none before its first object. */
  #picture: Snapshot<T> | undefined;
  #isReceivingPicture = true;
  /** The version of the last picture. What it did not have was not there, or was left out. */
  #pictureVersion = "";
  /** The server may have been set back, and then the version of an object that is here may be another state of it by now. */
  #mayRepeatVersions = false;
  /** The versions of what went last: an event from before one of them must not bring its object back. */
  readonly #graves = new Map<string, string>();

  constructor(store: Store<T>, cacheTransform: CacheTransform<T> = (object) => object) {
    this.#store = store;
    this.#intake = cacheTransform;
  }

  /** Takes events in and says what changed in the store. */
  take(events: readonly FollowEvent<T>[]): Change<T>[] {
    const changes: Change<T>[] = [];
    for (const event of events) {
      switch (event.type) {
        case "initial":
          this.received++;
          this.#draw(event.object);
          break;
        case "synced":
          this.#swap(event.resourceVersion, changes);
          break;
        case "applied":
          // The version moves first: a transform may change the object that came.
          this.#moveTo(event.object.metadata.resourceVersion);
          collect(this.#apply(event.object), changes);
          break;
        case "deleted":
          this.#delete(event.object, changes);
          break;
        case "bookmark":
          this.#moveTo(event.resourceVersion);
          break;
        case "gap":
          this.#startPicture();
          this.#isReceivingPicture = true;
          this.#mayRepeatVersions ||= isStaleSnapshot(event.cause);
          break;
        default:
          event satisfies never;
      }
    }
    return changes;
  }

  /** The version never goes back while a watch lasts, whatever a server that lags says. */
  #moveTo(version: string): void {
    if (isVersion(version) && !isOlderVersion(version, this.resourceVersion)) {
      this.resourceVersion = version;
    }
  }

  #startPicture(): void {
    this.#picture = undefined;
    this.received = 0;
  }

  #draw(object: Live<T>): void {
    this.#picture ??= this.#store.beginSnapshot();
    const key = objectKey(object);
    const taken = this.#takenOrKnown(object, this.#store.get(key));
    if (taken === undefined) {
      this.#picture.erase(key);
    } else {
      this.#picture.draw(key, taken);
    }
  }

  /** What has not changed stays the very object that it was, and is not transformed again. */
  #takenOrKnown(object: Live<T>, known: Live<T> | undefined): Live<T> | undefined {
    const isSame = this.#mayRepeatVersions ? isEqualState : isSameState;
    if (known && !this.#mayRepeatVersions && isSame(known, object)) {
      return known;
    }
    const taken = this.#intake(object);
    return known && taken && isSame(known, taken) ? known : taken;
  }

  #apply(object: Live<T>): Change<T> | undefined {
    const key = objectKey(object);
    const known = this.#store.get(key);
    const atLeast = known?.metadata.resourceVersion ?? this.#graves.get(key);
    const isBeforeSnapshot =
      known === undefined && isOlderVersion(object.metadata.resourceVersion, this.#pictureVersion);
    if (isBeforeSnapshot || isOlderVersion(object.metadata.resourceVersion, atLeast)) {
      this.stale++;
      return undefined;
    }
    if (known !== undefined && isSameState(known, object)) {
      return undefined;
    }
    if (known === undefined) {
      this.#graves.delete(key);
    }
    // A transform may change the object that came.
    const { resourceVersion } = object.metadata;
    const taken = this.#intake(object);
    if (taken !== undefined) {
      return this.#store.apply(key, taken, known);
    }
    this.#bury(key, resourceVersion);
    return known && this.#store.delete(key, known);
  }

  #delete(object: Live<T>, changes: Change<T>[]): void {
    const key = objectKey(object);
    if (this.#isReceivingPicture) {
      this.#picture?.erase(key);
      return;
    }
    const { resourceVersion } = object.metadata;
    this.#moveTo(resourceVersion);
    const known = this.#store.get(key);
    // A deletion from before another one does not take that one's place.
    if (isOlderVersion(resourceVersion, known?.metadata.resourceVersion ?? this.#graves.get(key))) {
      this.stale++;
      return;
    }
    this.#bury(key, resourceVersion);
    if (known === undefined) {
      return;
    }
    collect(this.#store.delete(key, this.#intake(object) ?? known), changes);
  }

  #bury(key: string, resourceVersion: string): void {
    this.#graves.delete(key);
    this.#graves.set(key, resourceVersion);
    if (this.#graves.size > maxTombstones) {
      for (const oldest of this.#graves.keys()) {
        this.#graves.delete(oldest);
        break;
      }
    }
  }

  #swap(resourceVersion: string, changes: Change<T>[]): void {
    if (isOlderVersion(resourceVersion, this.resourceVersion)) {
      // The server was set back: its versions count anew.
      this.#graves.clear();
    }
    const snapshot = this.#picture ?? this.#store.beginSnapshot();
    for (const change of this.#store.replace(snapshot, !this.isSynced)) {
      changes.push(change);
      if (change.type === "delete") {
        this.#bury(change.key, resourceVersion);
      }
    }
    this.#startPicture();
    this.#isReceivingPicture = false;
    this.#mayRepeatVersions = false;
    this.#pictureVersion = resourceVersion;
    this.resourceVersion = resourceVersion;
    this.isSynced = true;
  }
}

function collect<T extends KubeObject>(change: Change<T> | undefined, changes: Change<T>[]): void {
  if (change !== undefined) {
    changes.push(change);
  }
}
