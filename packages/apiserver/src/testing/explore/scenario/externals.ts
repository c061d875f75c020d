/** Systems outside of the cluster, by name: objects with methods that an operator calls, and that return promises. */
export type Externals = Readonly<Record<string, object>>;
