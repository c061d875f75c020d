/** What a value is to the one who asked for it: says where managedFields may be left out. */
export const roles = { value: 0, object: 1, metadata: 2, items: 3, body: 4, event: 5 } as const;

/** One of {@link roles}. */
export type Role = (typeof roles)[keyof typeof roles];

/**
 * The role of a field by the role of the map that holds it. A body may be an object or a list, which only its fields
 * tell, in whatever order they come: both its own metadata and that of its items count as an object's.
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
