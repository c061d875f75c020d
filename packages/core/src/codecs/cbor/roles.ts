/** Roles that a value can have in an API object. They decide where managedFields may be dropped. */
export const roles = { value: 0, object: 1, metadata: 2, items: 3, body: 4, event: 5 } as const;

/** One of {@link roles}. */
export type Role = (typeof roles)[keyof typeof roles];

/**
 * Returns the role of a field from the role of the map that holds it. Only its fields, in any order, show whether a
 * body is an object or a list: both its own metadata and that of its items count as an object's.
 */
export function roleOf(key: string, holder: Role): Role {
  switch (key) {
    case "metadata":
      return holder === roles.object || holder === roles.body ? roles.metadata : roles.value;
    case "items":
      return holder === roles.body ? roles.items : roles.value;
    case "object":
      return holder === roles.event ? roles.object : roles.value;
    default:
      return roles.value;
  }
}
