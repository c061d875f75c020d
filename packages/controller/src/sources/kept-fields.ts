import { kindId } from "../definition/any-kind.js";
import type { Controller } from "../definition/controller.js";
import type { DeclaredKind } from "../definition/kind-choice.js";

/** The fields that a cache keeps, beside those that identify an object. */
export interface KeptFields {
  /** Paths that the declarations name. */
  readonly fields: readonly string[];
  /** Further paths, which the controller reads. */
  readonly addedFields: readonly string[];
}

/**
 * Returns the fields that the caches of a controller keep, by kind; a kind that is missing is kept whole. All caches of a
 * kind keep the fields of all its declarations, because a run reads a kind from one of them, however it is declared.
 */
export function keptFields({
  kind,
  owns,
  watches,
  reads,
}: Controller): ReadonlyMap<string, KeptFields> {
  const all = [kind, ...owns, ...watches.map((watch) => watch.kind), ...reads];
  const cached = all.filter((one) => one.cached !== false && one.view !== "metadata");
  const whole = new Set(
    cached.filter(({ fields }) => fields === undefined).map((one) => kindId(one.kind)),
  );
  const kept = new Map<string, KeptFields>();
  for (const one of cached) {
    const id = kindId(one.kind);
    if (!whole.has(id)) {
      kept.set(id, united(kept.get(id), one));
    }
  }
  return kept;
}

function united(
  { fields, addedFields }: KeptFields = { fields: [], addedFields: [] },
  more: DeclaredKind,
): KeptFields {
  const all = new Set([...fields, ...(more.fields ?? [])]);
  const added = new Set([...addedFields, ...(more.addedFields ?? [])]);
  return { fields: [...all], addedFields: [...added].filter((path) => !all.has(path)) };
}

/** Returns all paths, for a projection. */
export function allFields({
  fields = [],
  addedFields = [],
}: Pick<DeclaredKind, "addedFields" | "fields">): string[] {
  return [...fields, ...addedFields];
}
