const created = new WeakSet<object>();

/** Returns true for an object that a server-side apply created (201) and returned; false for a merge (200) and for copies. */
export function wasCreated(applied: object): boolean {
  return created.has(applied);
}

/** Marks a returned object as created by its apply. */
export function noteCreated(applied: unknown): void {
  if (typeof applied === "object" && applied !== null) {
    created.add(applied);
  }
}
