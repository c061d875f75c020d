import type { JournalEntry } from "../journal/journal.js";
import { type AccessAttributes, attributesOf } from "./access-attributes.js";
import { type PolicyRule, readRules, ruleAllows } from "./rbac/policy-rule.js";
import { uncovered } from "./rbac/uncovered.js";

/** The rules of a Role or ClusterRole. */
export interface RoleLike {
  readonly rules?: readonly object[] | undefined;
}

/** Permissions that a role lacks, and permissions that its requests did not need. */
export interface RightsUsed {
  /** Rules for requests that no rule of the role allows: `{APIGroups:[""], Resources:["pods"], Verbs:["list"]}`. */
  readonly missing: readonly string[];
  /** Parts of the role's rules that no request needed, in the same format. */
  readonly unused: readonly string[];
}

/**
 * Compares a declared role with recorded requests.
 *
 * @param requests - requests of one program, selected by its user: `api.requests.filter(({ user }) => user ===
 * "operator")`.
 * @param role - the role from a manifest; a rule without `verbs` allows nothing.
 */
export function rightsUsed(requests: readonly JournalEntry[], role: RoleLike): RightsUsed {
  const rules = readRules(role.rules);
  const requested = requests.map(attributesOfEntry);
  const missing = requested.filter((what) => !rules.some((rule) => ruleAllows(rule, what)));
  const parts = rules.flatMap(partsOf);
  const unused = parts.filter((part) => !requested.some((what) => ruleAllows(part, what)));
  return {
    missing: uncovered(missing.map(ruleFor), []),
    unused: uncovered(unused, []),
  };
}

function attributesOfEntry(entry: JournalEntry): AccessAttributes {
  const { verb, path, group = "", resource, subresource = "", namespace = "", name = "" } = entry;
  return resource === undefined
    ? attributesOf({ verb, isResource: false, path: path.replace(/\?.*$/, "") })
    : attributesOf({ verb, path, group, resource, subresource, namespace, name });
}

/**
 * Returns the rule that would allow a request, without object names: restricting a role to names is the author's
 * choice.
 */
function ruleFor(what: AccessAttributes): PolicyRule {
  const { verb, isResource, path, group, resource, subresource } = what;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return {
    verbs: [verb],
    apiGroups: isResource ? [group] : [],
    resources: isResource ? [full] : [],
    resourceNames: [],
    nonResourceURLs: isResource ? [] : [path],
  };
}

/** Splits a rule into single permissions: one verb, one group, one resource. */
function partsOf(rule: PolicyRule): PolicyRule[] {
  const ofResources = rule.verbs.flatMap((verb) =>
    rule.apiGroups.flatMap((group) =>
      rule.resources.map((resource) => ({
        verbs: [verb],
        apiGroups: [group],
        resources: [resource],
        resourceNames: rule.resourceNames,
        nonResourceURLs: [],
      })),
    ),
  );
  const ofPaths = rule.verbs.flatMap((verb) =>
    rule.nonResourceURLs.map((path) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [path],
    })),
  );
  return [...ofResources, ...ofPaths];
}
