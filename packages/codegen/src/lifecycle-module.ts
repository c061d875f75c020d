import type { Facts, LifecycleFacts } from "./facts.js";
import type { Removal } from "./removal.js";
import { removedKinds } from "./removed-kinds.js";
import { literal } from "./source-text.js";

/** Row of the table: the lifecycle of one kind in one group-version. */
interface LifecycleRow extends Omit<LifecycleFacts, "replacedBy"> {
  readonly replacedBy?:
    | {
        readonly apiVersion: string;
        readonly kind: string;
        readonly since?: string | undefined;
      }
    | undefined;
  readonly changes?: readonly string[] | undefined;
}

type Kind = Pick<LifecycleFacts, "apiVersion" | "kind">;

/** Writes the lifecycles of all kinds, including removed ones, by `apiVersion kind`. */
export function lifecycleModule(facts: Facts): string {
  const rows = new Map<string, LifecycleRow>(facts.lifecycles.map((row) => [keyOf(row), row]));
  for (const removed of removedKinds) {
    for (const kind of removed.kinds) {
      const row = { apiVersion: removed.apiVersion, kind };
      rows.set(keyOf(row), merged(rows.get(keyOf(row)) ?? row, removed));
    }
  }
  const served = new Set(facts.resources.map(keyOf));
  const entries = [...rows.values()]
    .map((row) => ({ ...row, replacedBy: replacement(row, rows, served) }))
    .map((row): [string, string] => {
      const { apiVersion: _, kind: __, ...life } = row;
      return [keyOf(row), literal(life)];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    `import type { KindLifecycle } from "../lifecycle.js";\n\n` +
    `/** The life of each kind, by apiVersion and kind. */\n` +
    `export const lifecycles: Readonly<Record<string, KindLifecycle>> = {\n` +
    `${entries.map(([key, life]) => `  ${JSON.stringify(key)}: ${life},\n`).join("")}};\n`
  );
}

/**
 * Merges a removal into a row. The migration guide takes precedence over the Go types, which name some replacements
 * that have been removed themselves.
 */
function merged(row: LifecycleRow, { removed, use, since, changes }: Removal): LifecycleRow {
  if (row.removed !== undefined && row.removed !== removed) {
    throw new Error(`${keyOf(row)} was removed in ${row.removed}, not in ${removed}`);
  }
  const release = typeof since === "object" ? since[row.kind] : since;
  const replacedBy =
    use === undefined ? undefined : { apiVersion: use, kind: row.kind, since: release };
  return { ...row, removed, replacedBy, changes };
}

/**
 * Returns the replacement of a deprecated or removed kind. Follows the named replacements to one that is served; when
 * none is known, chooses a served version that is more stable or later.
 */
function replacement(
  row: LifecycleRow,
  rows: ReadonlyMap<string, LifecycleRow>,
  served: ReadonlySet<string>,
): LifecycleRow["replacedBy"] {
  if (row.deprecated === undefined && row.removed === undefined) {
    return undefined;
  }
  let said: LifecycleRow["replacedBy"] = row.replacedBy;
  while (said !== undefined && !served.has(keyOf(said))) {
    const next: LifecycleRow["replacedBy"] = rows.get(keyOf(said))?.replacedBy;
    if (next === undefined) {
      break;
    }
    said = next;
  }
  const isKnown = said !== undefined && (served.has(keyOf(said)) || rows.has(keyOf(said)));
  const chosen = isKnown ? said : stabler(row, served);
  return chosen && { ...chosen, since: chosen.since ?? rows.get(keyOf(chosen))?.introduced };
}

function stabler(row: Kind, served: ReadonlySet<string>): (Kind & { since?: string }) | undefined {
  const { group, version } = split(row.apiVersion);
  return ["v2", "v1", "v1beta2", "v1beta1"]
    .filter((other) => stability(other) > stability(version) || isLater(other, version))
    .map((other) => ({ apiVersion: group === "" ? other : `${group}/${other}`, kind: row.kind }))
    .find((other) => served.has(keyOf(other)));
}

function isLater(other: string, version: string): boolean {
  return stability(other) === stability(version) && other > version;
}

function stability(version: string): number {
  return version.includes("alpha") ? 0 : version.includes("beta") ? 1 : 2;
}

function split(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

function keyOf({ apiVersion, kind }: Kind): string {
  return `${apiVersion} ${kind}`;
}
