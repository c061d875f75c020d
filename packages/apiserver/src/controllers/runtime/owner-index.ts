import type { ApiObject } from "../../objects/api-object.js";
import { ownersOf } from "../../objects/owner-references.js";
import type { StoreEvent } from "../../store/history.js";
import type { Store } from "../../store/store.js";

/** Location of an object in the store. */
export interface Place {
  readonly storage: string;
  readonly key: string;
}

/** Index of owner references, updated with every write, so that lookups need not search the store. */
export class OwnerIndex {
  readonly #store: Store;
  readonly #byOwner = new Map<string, Map<string, Place>>();
  readonly #byUid = new Map<string, Place>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Updates the index after a write. */
  record({ type, key, object, previous }: StoreEvent, storage: string): void {
    const gone = type === "DELETED";
    const place = { storage, key };
    if (previous !== undefined && (gone || previous.metadata.uid !== object.metadata.uid)) {
      this.#byUid.delete(previous.metadata.uid ?? "");
    }
    if (!gone) {
      this.#byUid.set(object.metadata.uid ?? "", place);
    }
    if (
      !gone &&
      previous !== undefined &&
      previous.metadata.ownerReferences === object.metadata.ownerReferences
    ) {
      return;
    }
    const id = `${storage} ${key}`;
    for (const owner of previous === undefined ? [] : ownerKeysOf(previous, storage)) {
      const places = this.#byOwner.get(owner);
      places?.delete(id);
      if (places?.size === 0) {
        this.#byOwner.delete(owner);
      }
    }
    for (const owner of gone ? [] : ownerKeysOf(object, storage)) {
      const places = this.#byOwner.get(owner) ?? new Map<string, Place>();
      this.#byOwner.set(owner, places.set(id, place));
    }
  }

  /** Returns the location of the object with this UID. */
  placeOf(uid: string): Place | undefined {
    return this.#byUid.get(uid);
  }

  /** Returns all objects that name this UID as an owner. */
  dependentsOf(uid: string): Place[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  /** Returns the objects of one storage that name this UID as an owner. */
  ownedIn(storage: string, uid: string): ApiObject[] {
    return this.#objects(this.dependentsOf(uid).filter((place) => place.storage === storage));
  }

  /** Returns the objects of one storage and namespace without an owner. */
  unownedIn(storage: string, namespace: string): ApiObject[] {
    return this.#objects(this.dependentsOf(nobody(storage, namespace)));
  }

  #objects(places: readonly Place[]): ApiObject[] {
    return [...places]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ storage, key }) => this.#store.collection(storage).get(key))
      .filter((object) => object !== undefined);
  }
}

/** Storages whose objects can be adopted. */
const adoptable = new Set(["pods", "replicasets.apps"]);

function ownerKeysOf(object: ApiObject, storage: string): string[] {
  const owners = ownersOf(object).map(({ uid }) => uid);
  return owners.length === 0 && adoptable.has(storage)
    ? [nobody(storage, object.metadata.namespace ?? "")]
    : owners;
}

function nobody(storage: string, namespace: string): string {
  return `${storage} ${namespace}`;
}
