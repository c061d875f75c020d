import type { ApiObject } from "../../objects/api-object.js";
import {
  controllerOf,
  controllerReference,
  isGoing,
  withOwners,
} from "../../objects/owner-references.js";
import { objectsOf } from "../../objects/parts.js";
import { selectsAsOwner } from "../../objects/selects.js";
import type { StoreEvent } from "../../store/history.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

/** Splits a key into namespace and name. */
export function splitKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf("/");
  return slash < 0 ? ["", key] : [key.slice(0, slash), key.slice(slash + 1)];
}

/**
 * Returns the objects of one storage that an owner controls. Adopts matching objects without an owner and releases
 * objects that no longer match the selector.
 */
export function claim(
  { index, writer }: ControllerParts,
  owner: ApiObject,
  storage: string,
  mayAdopt: (object: ApiObject) => boolean = () => true,
): ApiObject[] {
  const { uid = "", namespace = "" } = owner.metadata;
  const all = index.ownedIn(storage, uid).filter((one) => controllerOf(one)?.uid === uid);
  if (isGoing(owner)) {
    return all;
  }
  const owned = all.filter((one) => {
    const isSelected = selectsAsOwner(owner, one);
    if (!isSelected && !isGoing(one)) {
      writer.update(
        storage,
        withOwners(one, (reference) => (reference["uid"] === uid ? undefined : reference)),
      );
    }
    return isSelected;
  });
  const adopted = index
    .unownedIn(storage, namespace)
    .filter((one) => !isGoing(one) && selectsAsOwner(owner, one) && mayAdopt(one))
    .map((one) =>
      writer.update(storage, {
        ...one,
        metadata: {
          ...one.metadata,
          ownerReferences: [...objectsOf(one.metadata.ownerReferences), controllerReference(owner)],
        },
      }),
    );
  return [...owned, ...adopted];
}

/** A kind of owner. */
export interface OwnerKind {
  readonly storage: string;
  readonly kind: string;
}

/** Yields the keys of the owners of that kind that an event concerns. */
export function* keysOfOwner(
  { writer }: Pick<ControllerParts, "writer">,
  { object, previous, namespace, type }: StoreEvent,
  { storage, kind }: OwnerKind,
): Iterable<string> {
  const owner = controllerOf(object);
  for (const one of [owner, previous && controllerOf(previous)]) {
    if (one?.kind === kind) {
      yield `${namespace}/${one.name}`;
    }
  }
  const changed = type === "ADDED" || previous?.metadata.labels !== object.metadata.labels;
  if (owner === undefined && changed && type !== "DELETED") {
    for (const candidate of writer.list(storage, namespace)) {
      if (selectsAsOwner(candidate, object)) {
        yield `${namespace}/${candidate.metadata.name}`;
      }
    }
  }
}
