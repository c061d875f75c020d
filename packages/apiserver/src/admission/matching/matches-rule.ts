import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { AdmissionAttributes } from "../attributes.js";

/** The parts of a request that rules look at. */
type Requested = Pick<AdmissionAttributes, "name" | "namespace" | "operation" | "subresource"> & {
  readonly resource: Pick<ServedResource, "group" | "plural" | "version">;
};

/**
 * Returns whether a rule of a webhook or a policy covers a request. (apiserver `rules.Matcher`)
 *
 * @param rule - of `rules`, `resourceRules` or `excludeResourceRules`.
 */
export function matchesRule(rule: JsonObject, requested: Requested): boolean {
  const { resource, operation, name } = requested;
  const resourceNames = stringsOf(rule["resourceNames"]);
  return (
    matchesScope(String(rule["scope"] ?? "*"), requested) &&
    hasEntry(rule["operations"], operation) &&
    hasEntry(rule["apiGroups"], resource.group) &&
    hasEntry(rule["apiVersions"], resource.version) &&
    stringsOf(rule["resources"]).some((entry) => matchesResource(entry, requested)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

function hasEntry(entries: unknown, value: string): boolean {
  return stringsOf(entries).some((entry) => entry === "*" || entry === value);
}

/** Namespaces are cluster-scoped, although the namespace of such a request is the Namespace's own name. */
function matchesScope(scope: string, { resource, namespace }: Requested): boolean {
  const { group, plural, version } = resource;
  const isNamespace = group === "" && version === "v1" && plural === "namespaces";
  const isNamespaced = !isNamespace && namespace !== "";
  switch (scope) {
    case "*":
      return true;
    case "Namespaced":
      return isNamespaced;
    case "Cluster":
      return !isNamespaced;
    default:
      return false;
  }
}

/** @param entry - such as `pods`, `pods/exec`, `pods/*`, `*` or `*` with a subresource. */
function matchesResource(entry: string, { resource, subresource }: Requested): boolean {
  const slash = entry.indexOf("/");
  const plural = slash < 0 ? entry : entry.slice(0, slash);
  const wanted = slash < 0 ? "" : entry.slice(slash + 1);
  return (
    (plural === "*" || plural === resource.plural) && (wanted === "*" || wanted === subresource)
  );
}
