/** Verbs on one resource, of which roles are made. */
export interface Right {
  /** API group; empty for the core group. */
  readonly group: string;
  /** Plural, with the subresource: `shops/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Name of the one object that they are for. Default: all objects. */
  readonly name?: string | undefined;
  /** Namespace that they are for. Default: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
}
