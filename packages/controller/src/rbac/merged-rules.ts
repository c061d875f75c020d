import type { PolicyRule } from "@typekube/api/rbac/v1";
import type { Right } from "@typekube/client";

/**
 * Returns the rules for rights: one for all resources of a group that have the same verbs, in the order of names. A verb
 * on one object is left out where the same verb is allowed on all.
 */
export function mergedRules(rights: readonly Right[]): PolicyRule[] {
  const onAll = new Map<string, Set<string>>();
  const onOne = new Map<string, Set<string>>();
  for (const { group, resource, verbs, name } of rights) {
    const key = `${group}/${resource}`;
    if (name === undefined) {
      addTo(onAll, key, verbs);
    } else {
      addTo(onOne, `${key} ${name}`, verbs);
    }
  }
  const named = [...onOne].flatMap(([key, verbs]) => {
    const [place = "", name = ""] = key.split(" ");
    const missing = [...verbs].filter((verb) => onAll.get(place)?.has(verb) !== true);
    return missing.length === 0 ? [] : [{ place, verbs: missing, name }];
  });
  const all = [...onAll].map(([place, verbs]) => ({ place, verbs: [...verbs], name: undefined }));
  return rulesFor([...all, ...named]);
}

function addTo(sets: Map<string, Set<string>>, key: string, values: readonly string[]): void {
  sets.set(key, new Set([...(sets.get(key) ?? []), ...values]));
}

interface PlacedRight {
  /** Group and resource: `apps/deployments`. */
  readonly place: string;
  readonly verbs: readonly string[];
  readonly name: string | undefined;
}

function rulesFor(rights: readonly PlacedRight[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule & { readonly resources: string[] }>();
  const byPlace = (a: PlacedRight, b: PlacedRight) =>
    a.place < b.place || (a.place === b.place && (a.name ?? "") < (b.name ?? "")) ? -1 : 1;
  for (const { place, verbs, name } of [...rights].sort(byPlace)) {
    const slash = place.indexOf("/");
    const group = place.slice(0, slash);
    const sorted = [...verbs].sort();
    const id = `${group} ${sorted.join()} ${name ?? ""}`;
    const rule = rules.get(id) ?? {
      apiGroups: [group],
      resources: [],
      ...(name === undefined ? {} : { resourceNames: [name] }),
      verbs: sorted,
    };
    rule.resources.push(place.slice(slash + 1));
    rules.set(id, rule);
  }
  return [...rules.values()];
}
