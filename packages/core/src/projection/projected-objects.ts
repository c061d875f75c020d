/** Returns its argument. As the base of a class, it makes the class add its private fields to that object. */
function given(object: object): object {
  return object;
}

/**
 * Marks objects by a private field: invisible to programs, not copied by a spread, and a third of the time of a WeakSet.
 */
class Mark extends (given as unknown as new (object: object) => object) {
  readonly #isProjected = true;

  static isOn(object: object): boolean {
    return #isProjected in object;
  }
}

/** Marks an object that lacks fields because of a projection. */
export function markProjected(object: object): void {
  if (!Mark.isOn(object)) {
    new Mark(object);
  }
}

/** Returns whether an object lacks fields because of a projection. A copy of it is not recognized. */
export function isMarkedProjected(value: unknown): boolean {
  return typeof value === "object" && value !== null && Mark.isOn(value);
}
