import type { Estimate } from "../functions/estimate.js";

/** Sizes of the keys or indexes and of the values of a list or a map that the expression creates. */
export interface EntrySizes {
  readonly container: "list" | "map";
  readonly key: Estimate;
  readonly value: Estimate;
}

/** Returns sizes that cover those of two lists or maps, `undefined` unless both are known. */
export function joinedEntries(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  return a === undefined || b === undefined
    ? undefined
    : { container: a.container, key: a.key.union(b.key), value: a.value.union(b.value) };
}
