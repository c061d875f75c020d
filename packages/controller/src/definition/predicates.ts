import type { KubeObject, Live } from "@typekube/api";
import { jsonEqual } from "@typekube/core/internal";

/**
 * Decides whether a change of an object causes a run. Called for additions, with `previous` undefined, and for
 * modifications. Deletions, the start of a deletion and changes of finalizers always cause one. A filter never removes
 * an object from the cache.
 *
 * @param next - the object now.
 * @param previous - the object before; `undefined` when it is new.
 */
export type ChangeFilter<T extends KubeObject = KubeObject> = (
  next: Live<T>,
  previous: Live<T> | undefined,
) => boolean;

/** Fields that filters of this module read, so that caches that keep some fields only keep these, too. */
const fieldsOf = new WeakMap<ChangeFilter<never>, readonly string[]>();

/** Returns the paths of the fields that a filter reads, as far as this module has created it. */
export function fieldsOfFilter(filter: ChangeFilter<never> | undefined): readonly string[] {
  return (filter && fieldsOf.get(filter)) ?? [];
}

function reading<F extends ChangeFilter<never>>(fields: readonly string[], filter: F): F {
  fieldsOf.set(filter, fields);
  return filter;
}

/**
 * Passes changes of `metadata.generation`: of the spec, not of the status. A kind without generations passes always.
 * (controller-runtime's GenerationChangedPredicate, which would drop every update of such a kind)
 */
export const generationChanged: ChangeFilter = reading(
  ["metadata.generation"],
  (next: Live<KubeObject>, previous: Live<KubeObject> | undefined) =>
    previous === undefined ||
    next.metadata.generation === undefined ||
    next.metadata.generation !== previous.metadata.generation,
);

/** Passes changes of labels. */
export const labelsChanged: ChangeFilter = reading(
  ["metadata.labels"],
  (next: Live<KubeObject>, previous: Live<KubeObject> | undefined) =>
    previous === undefined ||
    !jsonEqual(next.metadata.labels ?? {}, previous.metadata.labels ?? {}),
);

/** Passes changes of annotations. */
export const annotationsChanged: ChangeFilter = reading(
  ["metadata.annotations"],
  (next: Live<KubeObject>, previous: Live<KubeObject> | undefined) =>
    previous === undefined ||
    !jsonEqual(next.metadata.annotations ?? {}, previous.metadata.annotations ?? {}),
);

/** Passes what at least one of the filters passes. */
export function anyOf<T extends KubeObject>(
  ...filters: readonly ChangeFilter<T>[]
): ChangeFilter<T> {
  return reading(filters.flatMap(fieldsOfFilter), (next: Live<T>, previous: Live<T> | undefined) =>
    filters.some((filter) => filter(next, previous)),
  );
}

/** Passes what all filters pass. */
export function allOf<T extends KubeObject>(
  ...filters: readonly ChangeFilter<T>[]
): ChangeFilter<T> {
  return reading(filters.flatMap(fieldsOfFilter), (next: Live<T>, previous: Live<T> | undefined) =>
    filters.every((filter) => filter(next, previous)),
  );
}

/** Passes what the filter does not pass. */
export function not<T extends KubeObject>(filter: ChangeFilter<T>): ChangeFilter<T> {
  return reading(
    fieldsOfFilter(filter),
    (next: Live<T>, previous: Live<T> | undefined) => !filter(next, previous),
  );
}
