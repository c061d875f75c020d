/** What became of kinds of a group-version that releases have removed; the migration guide's facts in our words. */
export interface Removal {
  readonly apiVersion: string;
  readonly kinds: readonly string[];
  readonly removed: string;
  /** The group-version to use, and the release that first had it; absent where nothing takes its place. */
  readonly use?: string;
  readonly since?: Readonly<Record<string, string>> | string;
  /** What an object must change besides its apiVersion. */
  readonly changes?: readonly string[];
}
