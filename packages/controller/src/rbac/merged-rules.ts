import type { PolicyRule } from "@typekube/api/rbac/v1";

/** Verbs on one resource. */
export interface Right {
  readonly group: string;
  /** Plural, with the subresource: `shops/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** Returns the rules for rights: one for all resources of a group that have the same verbs, in the order of names. */
export function mergedRules(rights: readonly Right[]): PolicyRule[] {
  const verbsOf = new Map<string, Set<string>>();
  for (const { group, resource, verbs } of rights) {
    const key = `${group}/${resource}`;
    const known = verbsOf.get(key) ?? new Set<string>();
    verbsOf.set(key, known);
    for (const verb of verbs) {
      known.add(verb);
    }
  }
  const rules = new Map<string, { group: string; resources: string[]; verbs: string[] }>();
  for (const [key, known] of [...verbsOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const slash = key.indexOf("/");
    const group = key.slice(0, slash);
    const verbs = [...known].sort();
    const id = `${group} ${verbs.join()}`;
    const rule = rules.get(id) ?? { group, resources: [], verbs };
    rule.resources.push(key.slice(slash + 1));
    rules.set(id, rule);
  }
  return [...rules.values()].map(({ group, resources, verbs }) => ({
    apiGroups: [group],
    resources,
    verbs,
  }));
}
