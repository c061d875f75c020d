import type { Facts } from "./facts.js";

/** One kind of fact by its key, and where hand-written code depends on it. */
interface Section {
  readonly title: string;
  readonly rules: string;
  readonly facts: ReadonlyMap<string, string>;
  /** Set for values that are too long to print. */
  readonly keysOnly?: true;
}

/** Describes the differences between the facts of two releases, by kind of fact. */
export function describeChanges(before: Facts, after: Facts): string[] {
  const old = sectionsOf(before);
  const lines = sectionsOf(after).flatMap(({ title, rules, facts, keysOnly = false }, at) => {
    const changes = changesOf(old[at]?.facts ?? new Map(), facts, keysOnly);
    return changes.length === 0 ? [] : ["", `${title}: ${changes.length} (${rules})`, ...changes];
  });
  return [`Facts that differ from those of Kubernetes ${before.release}:`, ...lines];
}

function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  keysOnly: boolean,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) {
      return [];
    }
    const sign = was === undefined ? "+" : is === undefined ? "-" : "~";
    const values = [was, is].filter((value) => value !== undefined && value !== "").join(" -> ");
    const isShort = keysOnly || sign === "-" || values === "";
    return [`  ${sign} ${key}${isShort ? "" : `: ${values}`}`];
  });
}

function sectionsOf(facts: Facts): Section[] {
  return [...apiSections(facts), ...serverSections(facts)];
}

const server = "packages/apiserver/src";

function apiSections({ packages, resources, lifecycles }: Facts): Section[] {
  const fields = packages.flatMap(({ name, types }) =>
    types.flatMap((type) =>
      (type.fields ?? []).map((field) => ({ key: `${name}.${type.name}.${field.name}`, field })),
    ),
  );
  const rules = packages.flatMap(({ name, types }) =>
    types.flatMap((type) => [
      ...(type.validations ?? []).map((rule) => `${name}.${type.name} ${rule}`),
      ...(type.fields ?? []).flatMap((field) =>
        (field.validations ?? []).map((rule) => `${name}.${type.name}.${field.name} ${rule}`),
      ),
    ]),
  );
  return [
    {
      title: "Kinds",
      rules: `removed ones: packages/codegen/src/removed-kinds.ts; rules of new ones: ${server}/kinds/strategies.ts`,
      facts: new Map(
        resources.map((one) => [
          `${one.apiVersion} ${one.kind}`,
          [...one.verbs, ...one.subresources.map((sub) => `/${sub.resource}`)].join(" "),
        ]),
      ),
    },
    {
      title: "Lifecycles",
      rules: "packages/codegen/src/removed-kinds.ts",
      facts: new Map(
        lifecycles.map(({ apiVersion, kind, replacedBy: _, ...releases }) => [
          `${apiVersion} ${kind}`,
          JSON.stringify(releases),
        ]),
      ),
    },
    {
      title: "Fields",
      rules: `fields behind a gate: ${server}/phases/validate/declared/gated-fields.ts`,
      facts: new Map(fields.map(({ key, field }) => [key, field.type])),
    },
    {
      title: "Declared validation rules",
      rules: `packages/codegen/src/declared-rules.ts, ${server}/phases/validate/declared`,
      facts: new Map(rules.map((rule) => [rule, ""])),
    },
  ];
}

function serverSections({ server: facts }: Facts): Section[] {
  const defaults = facts.typeDefaults.flatMap(({ type, always, depends = {} }) => [
    ...Object.entries(always).map(([field, value]): [string, string] => [
      `${type}.${field}`,
      JSON.stringify(value),
    ]),
    ...Object.entries(depends).map(([field, values]): [string, string] => [
      `${type}.${field}`,
      `${JSON.stringify(values)} in some cases`,
    ]),
  ]);
  return [
    {
      title: "Feature gates",
      rules: `${server}/resources/feature-gates.ts`,
      facts: new Map(
        facts.featureGates.map(({ name, stages }) => [
          name,
          stages
            .map(
              ({ since, stage, on, locked }) =>
                `${since} ${stage} ${on ? "on" : "off"}${locked ? " locked" : ""}`,
            )
            .join(", "),
        ]),
      ),
    },
    {
      title: "Defaults",
      rules: `those that hold in some cases: ${server}/phases/default/type-rules.ts, the strategies in ${server}/kinds`,
      facts: new Map(defaults),
    },
    {
      title: "Table columns",
      rules: `cells: ${server}/kinds/**/*-columns.ts; the compiler names missing ones`,
      facts: new Map(
        facts.tableColumns.map(({ resource, columns }) => [
          resource,
          columns.map(({ name }) => name).join(" | "),
        ]),
      ),
    },
    {
      title: "Objects of a new cluster",
      rules: `${server}/server/fresh-cluster`,
      keysOnly: true,
      facts: new Map(
        facts.bootstrapObjects.map(({ kind, key, object }) => [
          `${kind} ${key}`,
          JSON.stringify(object),
        ]),
      ),
    },
    {
      title: "Storage versions",
      rules: "none by hand",
      facts: new Map(facts.storageVersions.map(({ resource, storedIn }) => [resource, storedIn])),
    },
    {
      title: "Priorities of group-versions",
      rules: "none by hand",
      facts: new Map(
        facts.groupPriorities.map((row) => [
          `${row.group}/${row.version}`,
          `${row.groupPriorityMinimum} ${row.versionPriority}`,
        ]),
      ),
    },
    {
      title: "Health checks",
      rules: `names and order: ${server}/server/discovery/health.ts`,
      facts: new Map(facts.healthChecks.map(({ name }) => [name, ""])),
    },
  ];
}
