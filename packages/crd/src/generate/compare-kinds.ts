import { type Change, compareSchemas } from "../compare/compare-schemas.js";
import type { KindSource } from "./source/kind-source.js";

/** A change by which programs or objects may stop working. */
export interface SchemaChange {
  readonly apiVersion: string;
  readonly kind: string;
  /** Path of the field, such as `spec.rules[].port`; empty for the kind itself. */
  readonly path: string;
  /** The change, such as `field removed` or `maximum changed from 10 to 5`. */
  readonly change: string;
}

/**
 * Lists what was removed or narrowed between two states of kinds: kinds, versions and fields that are missing, types that
 * changed, enumerations with fewer values, fields that became required, tighter bounds, new rules. Additions that no
 * object can violate are not listed.
 */
export function compareKinds(
  before: readonly KindSource[],
  after: readonly KindSource[],
): SchemaChange[] {
  const current = new Map(after.map((source) => [keyOf(source), source]));
  return before.flatMap((source) => {
    const { group, version, kind } = source;
    const of = { apiVersion: group === "" ? version : `${group}/${version}`, kind };
    const now = current.get(keyOf(source));
    if (now === undefined) {
      return [{ ...of, path: "", change: "removed" }];
    }
    const changes = [
      ...(now.scope === source.scope
        ? []
        : [{ path: "", change: `scope ${now.scope} instead of ${source.scope}` }]),
      ...(now.plural === source.plural
        ? []
        : [{ path: "", change: `plural ${now.plural} instead of ${source.plural}` }]),
      ...Object.keys(source.subresources)
        .filter((name) => !Object.hasOwn(now.subresources, name))
        .map((name) => ({ path: "", change: `subresource ${name} removed` })),
      ...breakingChanges(source, now),
    ];
    const inOrder = [...changes].sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
    return inOrder.map((change) => ({ ...of, ...change }));
  });
}

/** Returns the changes of a schema that objects or programs may not survive. */
function breakingChanges(before: KindSource, after: KindSource): Omit<Change, "breaking">[] {
  const changes: Change[] = [];
  compareSchemas(before.schema, after.schema, "", changes);
  return changes.filter(({ breaking }) => breaking).map(({ path, change }) => ({ path, change }));
}

function keyOf({ group, version, kind }: KindSource): string {
  return `${group}/${version}/${kind}`;
}
