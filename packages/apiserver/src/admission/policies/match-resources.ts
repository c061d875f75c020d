import type { ServerContext } from "../../context/server-context.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import type { AdmissionAttributes } from "../attributes.js";
import { findMatch, type Match } from "../matching/find-match.js";
import { matchesNamespace, matchesObject } from "../matching/matches-selectors.js";

/**
 * Returns the resource as which a request matches `matchConstraints` of a policy or `matchResources` of a binding;
 * `undefined` if it does not match. (apiserver `matching.Matches`)
 *
 * @throws {StatusError} 404 for an unknown namespace.
 */
export function matchResources(
  given: unknown,
  attributes: AdmissionAttributes,
  { registry, store }: Pick<ServerContext, "registry" | "store">,
): Match | undefined {
  const { matchPolicy, namespaceSelector, objectSelector, ...lists } = mapOf(given);
  if (!matchesObject(objectSelector, attributes)) {
    return undefined;
  }
  const rules = objectsOf(lists["resourceRules"]);
  const match = findMatch(
    {
      rules: rules.length === 0 ? undefined : rules,
      excluded: objectsOf(lists["excludeResourceRules"]),
      matchPolicy: matchPolicy === "Exact" ? "Exact" : "Equivalent",
    },
    attributes,
    registry,
  );
  return match !== undefined && matchesNamespace(namespaceSelector, attributes, store)
    ? match
    : undefined;
}
