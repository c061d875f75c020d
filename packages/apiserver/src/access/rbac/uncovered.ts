import { hasOrAll, type PolicyRule, pathMatches } from "./policy-rule.js";

/**
 * Returns the permissions in `wanted` that `held` does not cover, sorted, one readable line each. Empty when all are
 * covered.
 *
 * @param wanted - the rules that a user is about to grant.
 * @param held - the rules that the user has.
 */
export function uncovered(wanted: readonly PolicyRule[], held: readonly PolicyRule[]): string[] {
  return [...new Set(wanted.flatMap((rule) => uncoveredOf(rule, held)))].sort();
}

function uncoveredOf(rule: PolicyRule, held: readonly PolicyRule[]): string[] {
  const names = rule.resourceNames.length === 0 ? [undefined] : rule.resourceNames;
  const resources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      names.flatMap((name) => {
        const verbs = rule.verbs.filter(
          (verb) => !held.some((own) => coversResource(own, { verb, group, resource, name })),
        );
        const named = name === undefined ? "" : `, ResourceNames:${list([name])}`;
        return verbs.length === 0
          ? []
          : [
              `{APIGroups:${list([group])}, Resources:${list([resource])}${named}, Verbs:${list(verbs)}}`,
            ];
      }),
    ),
  );
  const paths = rule.nonResourceURLs.flatMap((path) => {
    const verbs = rule.verbs.filter((verb) => !held.some((own) => coversPath(own, verb, path)));
    return verbs.length === 0 ? [] : [`{NonResourceURLs:${list([path])}, Verbs:${list(verbs)}}`];
  });
  return [...resources, ...paths];
}

function coversResource(
  own: PolicyRule,
  requested: { verb: string; group: string; resource: string; name: string | undefined },
): boolean {
  const { verb, group, resource, name } = requested;
  const [, subresource] = resource.split("/");
  return (
    hasOrAll(own.verbs, verb) &&
    hasOrAll(own.apiGroups, group) &&
    (hasOrAll(own.resources, resource) ||
      (subresource !== undefined && own.resources.includes(`*/${subresource}`))) &&
    (own.resourceNames.length === 0 || (name !== undefined && own.resourceNames.includes(name)))
  );
}

function coversPath(own: PolicyRule, verb: string, path: string): boolean {
  return (
    hasOrAll(own.verbs, verb) && own.nonResourceURLs.some((pattern) => pathMatches(pattern, path))
  );
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(" ")}]`;
}
