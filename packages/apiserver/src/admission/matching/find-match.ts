import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRegistry } from "../../resources/resource-registry.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { AdmissionAttributes, GroupVersionKind } from "../attributes.js";
import { kindOf } from "./kind-of.js";
import { matchesRule } from "./matches-rule.js";

/** Rules of a webhook or a policy. */
export interface MatchRules {
  /** Absent for a policy without rules, which matches every request. */
  readonly rules: readonly JsonObject[] | undefined;
  /** Rules of requests to leave out. Default: none. */
  readonly excluded?: readonly JsonObject[] | undefined;
  /** `Equivalent` also matches requests for another version or group of the same objects. */
  readonly matchPolicy: "Equivalent" | "Exact";
}

/** The resource and kind as which a matching request is reviewed. */
export interface Match {
  readonly resource: ServedResource;
  readonly kind: GroupVersionKind;
}

/**
 * Returns the resource as which a request matches rules: the requested one, or, with the policy `Equivalent`, the first
 * equivalent one; `undefined` if it does not match. (apiserver `ShouldCallHook`)
 */
export function findMatch(
  { rules, excluded = [], matchPolicy }: MatchRules,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Match | undefined {
  if (findRule(excluded, matchPolicy, attributes, registry) !== undefined) {
    return undefined;
  }
  const { resource, kind } = attributes;
  return rules === undefined
    ? { resource, kind }
    : findRule(rules, matchPolicy, attributes, registry);
}

function findRule(
  rules: readonly JsonObject[],
  matchPolicy: MatchRules["matchPolicy"],
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Match | undefined {
  const { resource, subresource, kind } = attributes;
  if (rules.some((rule) => matchesRule(rule, attributes))) {
    return { resource, kind };
  }
  if (matchPolicy === "Exact" || rules.length === 0) {
    return undefined;
  }
  const equivalents = equivalentsOf(attributes, registry);
  for (const rule of rules) {
    const found = equivalents.find((other) =>
      matchesRule(rule, { ...attributes, resource: other }),
    );
    if (found !== undefined) {
      return { resource: found, kind: kindOf(found, subresource) };
    }
  }
  return undefined;
}

/** Returns the other served resources with the same stored objects: other versions, and other groups of Events. */
function equivalentsOf(
  { resource, subresource }: AdmissionAttributes,
  { resources }: ResourceRegistry,
): ServedResource[] {
  return resources.filter(
    (other) =>
      other.storage === resource.storage &&
      (other.group !== resource.group || other.version !== resource.version) &&
      (subresource === "" || Object.hasOwn(other.descriptor.subresources, subresource)),
  );
}
