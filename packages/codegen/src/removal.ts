/** Kinds of one group-version that a release removed: the facts of the migration guide in our words. */
export interface Removal {
  readonly apiVersion: string;
  readonly kinds: readonly string[];
  readonly removed: string;
  /** Group-version to use instead, and the first release that served it; absent when nothing replaces the kinds. */
  readonly use?: string;
  readonly since?: Readonly<Record<string, string>> | string;
  /** Changes that an object needs beyond its apiVersion. */
  readonly changes?: readonly string[];
}
