import { isJsonObject, stringsOf } from "../../store/json-value.js";
import type { AccessAttributes } from "../access-attributes.js";

/** A rule of a role, with every list there. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all names. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a role as it is stored. */
export function readRules(value: unknown): PolicyRule[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).map((rule) => ({
    verbs: stringsOf(rule["verbs"]),
    apiGroups: stringsOf(rule["apiGroups"]),
    resources: stringsOf(rule["resources"]),
    resourceNames: stringsOf(rule["resourceNames"]),
    nonResourceURLs: stringsOf(rule["nonResourceURLs"]),
  }));
}

/** Whether a rule allows something. */
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

/** Whether a list holds a word or stands for all words. */
export function hasOrAll(list: readonly string[], word: string): boolean {
  return list.includes("*") || list.includes(word);
}

/** Whether rules for resources are about one; `*` is all, and `*` before a subresource is that of all resources. */
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

/** Whether a path is meant; a star is allowed at the end only. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) {
    return true;
  }
  return pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""));
}
