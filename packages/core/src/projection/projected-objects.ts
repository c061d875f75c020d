import type { Projection } from "./projection.js";

/** Returns its argument. As the base of a class, it makes the class add its private fields to that object. */
function given(object: object): object {
  return object;
}

/**
 * Marks objects by a private field: invisible to programs, not copied by a spread, and a third of the time of a WeakSet.
 * One field serves two marks: the metadata refers to the object that it was read with, which needs no field then.
 */
class Mark extends (given as unknown as new (object: object) => object) {
  #owner: object | undefined = undefined;

  static isOn(object: object): object is Mark {
    return #owner in object;
  }

  static setOwner(mark: Mark, owner: object): void {
    mark.#owner = owner;
  }

  static isOwnedBy(mark: Mark, object: object): boolean {
    return mark.#owner === object;
  }
}

/**
 * Marks one new object that lacks fields: metadata, or an API object whose metadata is whole. Called before it has
 * fields, the mark gets a place inside of the object. {@link markProjected} must follow.
 */
export function mark(object: object): void {
  new Mark(object);
}

/**
 * Marks an API object that lacks fields because of a projection, and its metadata unless that is kept as a whole. A copy
 * of either needs it again.
 *
 * @param object - one whose metadata, unless it is kept as a whole, is not part of an object without a mark.
 */
export function markProjected(object: object, { lacksMetadata }: Projection): void {
  const metadata = lacksMetadata ? metadataOf(object) : undefined;
  if (metadata !== undefined) {
    markWithMetadata(object, metadata);
  } else if (!Mark.isOn(object)) {
    mark(object);
  }
}

/** Marks an object like another one that a function of the program made it from. */
export function markLike(object: object, original: object): void {
  const metadata = hasMarkedMetadata(original) ? metadataOf(object) : undefined;
  if (metadata !== undefined) {
    markWithMetadata(object, metadata);
  } else if (isMarkedProjected(original) && !Mark.isOn(object)) {
    mark(object);
  }
}

function markWithMetadata(object: object, metadata: object): void {
  if (!Mark.isOn(metadata)) {
    mark(metadata);
  }
  Mark.setOwner(metadata as Mark, object);
}

function metadataOf(object: object): object | undefined {
  const { metadata } = object as { readonly metadata?: unknown };
  return typeof metadata === "object" && metadata !== null ? metadata : undefined;
}

/** Returns whether an object lacks fields because of a projection. A copy of it is not recognized. */
export function isMarkedProjected(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const metadata = metadataOf(value);
  return (
    Mark.isOn(value) ||
    (metadata !== undefined && Mark.isOn(metadata) && Mark.isOwnedBy(metadata, value))
  );
}

/** Returns whether the metadata of an object lacks fields because of a projection. A copy of it is not recognized. */
export function hasMarkedMetadata(value: unknown): boolean {
  const metadata = typeof value === "object" && value !== null ? metadataOf(value) : undefined;
  return metadata !== undefined && Mark.isOn(metadata);
}
