import { pausedField } from "./paused.js";
import { type ChangeFilter, fieldsOfFilter } from "./predicates.js";

/** Fields of the controller's own objects that the loop reads. */
const ofOwn: readonly string[] = ["metadata.generation", "metadata.finalizers"];

/**
 * Fields of owned objects: what leads to their owner, and what tells a change of the applied fields from a change of the
 * status.
 */
const ofOwned: readonly string[] = [
  "metadata.generation",
  "metadata.labels",
  "metadata.ownerReferences",
];

/** Returns the fields of its own objects that a controller reads. */
export function addedToOwn({
  when,
  pauseWhen,
}: {
  readonly when?: ChangeFilter | undefined;
  readonly pauseWhen?: unknown;
}): readonly string[] {
  const ofPause = pauseWhen === undefined ? [pausedField] : [];
  return [...ofOwn, ...ofPause, ...fieldsOfFilter(when)];
}

/** Returns the fields of owned objects that a controller reads. */
export function addedToOwned(): readonly string[] {
  return ofOwned;
}

/** Returns the fields of watched objects that a controller reads. Those of `map` are in the type of its argument. */
export function addedToWatched(when: ChangeFilter | undefined): readonly string[] {
  return fieldsOfFilter(when);
}
