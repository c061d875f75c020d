import { type AccessAttributes, attributesOf } from "../access/access-attributes.js";
import { type PolicyRule, readRules, ruleAllows } from "../access/rbac/policy-rule.js";
import { uncovered } from "../access/rbac/uncovered.js";
import type { JournalEntry } from "./journal.js";

/** A Role or a ClusterRole, as far as its rules go. */
export interface RoleLike {
  readonly rules?: readonly object[] | undefined;
}

/** What a role lacks, and what it has too much, for what was really asked. */
export interface RightsUsed {
  /** Requests that no rule allows, as the rules that would: `{APIGroups:[""], Resources:["pods"], Verbs:["list"]}`. */
  readonly missing: readonly string[];
  /** Parts of rules that no request needed, in the same words. */
  readonly unused: readonly string[];
}

/**
 * Compares a declared role with recorded requests.
 *
 * @param requests - of one program: those of a user, `api.requests.filter(({ user }) => user === "operator")`.
 * @param role - as a manifest has it; a rule without `verbs` allows nothing.
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

/** Names are left out: a role that names objects is a choice of people. */
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

/** A rule as its smallest parts: one verb, one group, one resource. */
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
