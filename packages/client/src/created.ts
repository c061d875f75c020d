const created = new WeakSet<object>();

/**
 * Whether a server-side apply made the object that it gave back (201), or merged into one that was there (200). False for an
 * object that came otherwise, or is a copy.
 */
export function wasCreated(applied: object): boolean {
  return created.has(applied);
}

/** Remembers what an apply gave back as made by it. */
export function noteCreated(applied: unknown): void {
  if (typeof applied === "object" && applied !== null) {
    created.add(applied);
  }
}
