import { isJsonObject, stringsOf } from "../../objects/json-value.js";
import type { AccessAttributes } from "../access-attributes.js";

/** A rule of a role, with all lists filled in. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty matches all names. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Reads the rules of a stored role. */
export function readRules(value: unknown): PolicyRule[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).map((rule) => ({
    verbs: stringsOf(rule["verbs"]),
    apiGroups: stringsOf(rule["apiGroups"]),
    resources: stringsOf(rule["resources"]),
    resourceNames: stringsOf(rule["resourceNames"]),
    nonResourceURLs: stringsOf(rule["nonResourceURLs"]),
  }));
}

/** Returns whether a rule allows a request. */
export function ruleAllows(rule: PolicyRule, what: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, what.verb)) {
    return false;
  }
  if (!what.isResource) {
    return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, what.path));
  }
  return (
    hasOrAll(rule.apiGroups, what.group) &&
    resourceMatches(rule.resources, what.resource, what.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(what.name))
  );
}

/** Returns whether a list contains a word or `*`. */
export function hasOrAll(list: readonly string[], word: string): boolean {
  return list.includes("*") || list.includes(word);
}

/**
 * Returns whether a rule's resources match a resource. `*` matches all resources; with `*` for the resource, a rule
 * matches that subresource of all resources.
 */
export function resourceMatches(
  resources: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    hasOrAll(resources, full) || (subresource !== "" && resources.includes(`*/${subresource}`))
  );
}

/** Returns whether a pattern matches a path. A `*` is a wildcard only at the end. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) {
    return true;
  }
  return pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""));
}
