import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../events/change.js";
import type { FollowEvent } from "../events/follow-event.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import { isVersion } from "../versions/is-version.js";
import { isStaleSnapshot } from "../versions/stale-snapshot.js";
import type { CacheTransform } from "./cache-transform.js";
import { placeOf } from "./object-key.js";
import type { Snapshot } from "./snapshot.js";
import { isEqualState, isSameState, type Store } from "./store.js";

/**
 * Number of tombstones: resourceVersions of deletions and of objects that a transform left out. Late events arrive soon
 * afterwards.
 */
const maxTombstones = 1_000;

/**
 * Applies follow events to a store. The first events build a snapshot beside the store; when it is complete it replaces
 * the store's content, so that a half-filled store is never visible.
 */
export class Reflector<T extends KubeObject> {
  /** The resourceVersion up to which the store reflects the server; "" before the first snapshot. */
  resourceVersion = "";
  /** `true` once the first snapshot was complete. */
  isSynced = false;
  /** Number of objects received of an unfinished snapshot. */
  received = 0;
  /** Number of events left out because the store has a newer state of the object. */
  stale = 0;
  readonly #store: Store<T>;
  readonly #transform: CacheTransform<T>;
  readonly #isListening: () => boolean;
  /** Snapshot in progress; absent before its first object. */
  #snapshot: Snapshot<T> | undefined;
  #isReceivingSnapshot = true;
  /** The resourceVersion of the last snapshot. An object missing from it did not exist then, or was left out. */
  #snapshotVersion = "";
  /** After a restore from backup the same resourceVersion may denote another state. */
  #mayRepeatVersions = false;
  /** Tombstones: resourceVersions of the latest deletions, by key. An older event must not bring the object back. */
  readonly #tombstones = new Map<string, string>();

  /** @param isListening - returns `false` while there are no readers of changes. The first snapshot then makes none. */
  constructor(
    store: Store<T>,
    cacheTransform: CacheTransform<T> = (object) => object,
    isListening: () => boolean = () => true,
  ) {
    this.#store = store;
    this.#transform = cacheTransform;
    this.#isListening = isListening;
  }

  /** Applies events and returns the resulting changes of the store. */
  take(events: readonly FollowEvent<T>[]): Change<T>[] {
    const changes: Change<T>[] = [];
    for (let at = 0; at < events.length; at++) {
      const event = events[at] as FollowEvent<T>;
      switch (event.type) {
        case "initial":
          this.received++;
          this.#addToSnapshot(event.object);
          break;
        case "synced":
          this.#swap(event.resourceVersion, changes);
          break;
        case "applied":
          // Move the resourceVersion first: a transform may modify the object.
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
          this.#startSnapshot();
          this.#isReceivingSnapshot = true;
          this.#mayRepeatVersions ||= isStaleSnapshot(event.cause);
          break;
        default:
          event satisfies never;
      }
    }
    return changes;
  }

  /** Advances the resourceVersion. During a watch it never goes back, whatever a lagging replica sends. */
  #moveTo(version: string): void {
    if (isVersion(version) && !isOlderVersion(version, this.resourceVersion)) {
      this.resourceVersion = version;
    }
  }

  #startSnapshot(): void {
    this.#snapshot = undefined;
    this.received = 0;
  }

  #addToSnapshot(object: Live<T>): void {
    this.#snapshot ??= this.#store.beginSnapshot();
    // Read first: a transform may modify the object. No key is made: a string for each object is work and memory.
    const namespace = object.metadata.namespace || "";
    const { name } = object.metadata;
    const taken = this.#takenOrKnown(object, this.#store.at(namespace, name));
    if (taken === undefined) {
      this.#snapshot.remove(namespace, name);
    } else {
      // The same string as in the cached object, which may be older: the table keeps it alive.
      const shown = taken.metadata.name;
      this.#snapshot.put(namespace, shown === name ? shown : name, taken);
    }
  }

  /** Returns the cached object when its state has not changed, without transforming it again. */
  #takenOrKnown(object: Live<T>, known: Live<T> | undefined): Live<T> | undefined {
    const isSame = this.#mayRepeatVersions ? isEqualState : isSameState;
    if (known && !this.#mayRepeatVersions && isSame(known, object)) {
      return known;
    }
    const taken = this.#transform(object);
    return known && taken && isSame(known, taken) ? known : taken;
  }

  #apply(object: Live<T>): Change<T> | undefined {
    const place = placeOf(object);
    const { namespace, name, key } = place;
    const known = this.#store.at(namespace, name);
    const atLeast = known?.metadata.resourceVersion ?? this.#tombstones.get(key);
    const isBeforeSnapshot =
      known === undefined && isOlderVersion(object.metadata.resourceVersion, this.#snapshotVersion);
    if (isBeforeSnapshot || isOlderVersion(object.metadata.resourceVersion, atLeast)) {
      this.stale++;
      return undefined;
    }
    if (known !== undefined && isSameState(known, object)) {
      return undefined;
    }
    if (known === undefined) {
      this.#tombstones.delete(key);
    } else {
      shareName(known, object);
    }
    // Read first: a transform may modify the object.
    const { resourceVersion } = object.metadata;
    const taken = this.#transform(object);
    if (taken !== undefined) {
      return this.#store.apply(place, taken, known);
    }
    this.#recordTombstone(key, resourceVersion);
    return known && this.#store.delete(place, known);
  }

  #delete(object: Live<T>, changes: Change<T>[]): void {
    const place = placeOf(object);
    const { namespace, name, key } = place;
    if (this.#isReceivingSnapshot) {
      this.#snapshot?.remove(namespace, name);
      return;
    }
    const { resourceVersion } = object.metadata;
    this.#moveTo(resourceVersion);
    const known = this.#store.at(namespace, name);
    // A deletion older than the cached state, or than a later deletion, is ignored.
    if (
      isOlderVersion(resourceVersion, known?.metadata.resourceVersion ?? this.#tombstones.get(key))
    ) {
      this.stale++;
      return;
    }
    this.#recordTombstone(key, resourceVersion);
    if (known === undefined) {
      return;
    }
    collect(this.#store.delete(place, this.#transform(object) ?? known), changes);
  }

  #recordTombstone(key: string, resourceVersion: string): void {
    this.#tombstones.delete(key);
    this.#tombstones.set(key, resourceVersion);
    if (this.#tombstones.size > maxTombstones) {
      for (const oldest of this.#tombstones.keys()) {
        this.#tombstones.delete(oldest);
        break;
      }
    }
  }

  #swap(resourceVersion: string, changes: Change<T>[]): void {
    if (isOlderVersion(resourceVersion, this.resourceVersion)) {
      // The server was restored from a backup: its resourceVersions start over.
      this.#tombstones.clear();
    }
    const snapshot = this.#snapshot ?? this.#store.beginSnapshot();
    for (const change of this.#store.replace(snapshot, !this.isSynced, this.#isListening())) {
      changes.push(change);
      if (change.type === "delete") {
        this.#recordTombstone(change.key, resourceVersion);
      }
    }
    this.#startSnapshot();
    this.#isReceivingSnapshot = false;
    this.#mayRepeatVersions = false;
    this.#snapshotVersion = resourceVersion;
    this.resourceVersion = resourceVersion;
    this.isSynced = true;
  }
}

/** Gives a new state of an object the string of the name that the store keeps for it, so that the new one is garbage. */
function shareName({ metadata: known }: Live<KubeObject>, { metadata }: Live<KubeObject>): void {
  if (metadata.name === known.name && !Object.isFrozen(metadata)) {
    metadata.name = known.name;
  }
}

function collect<T extends KubeObject>(change: Change<T> | undefined, changes: Change<T>[]): void {
  if (change !== undefined) {
    changes.push(change);
  }
}
