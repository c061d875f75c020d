import { qosClass } from "../kinds/pod-spec/qos-class.js";
import type { ApiObject } from "../objects/api-object.js";
import { type JsonObject, stringsOf } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../objects/parts.js";

/** Returns whether an object meets one scope requirement of a quota. */
export type ScopeRule = (requirement: JsonObject, object: ApiObject) => boolean;

/**
 * Returns whether an object is in every scope of a quota.
 *
 * @param rule - the scope rule of the object's kind. Absent: such objects are in no scope.
 */
export function isInScopes(quota: ApiObject, object: ApiObject, rule?: ScopeRule): boolean {
  const { scopes, scopeSelector } = specOf(quota);
  const requirements = [
    ...stringsOf(scopes).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...objectsOf(mapOf(scopeSelector)["matchExpressions"]),
  ];
  return requirements.every((requirement) => rule?.(requirement, object) === true);
}

/** Evaluates scopes for pods. */
export const podScope: ScopeRule = (requirement, pod) => {
  const spec = specOf(pod);
  const { priorityClassName } = spec;
  switch (requirement["scopeName"]) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return qosClass(spec) === "BestEffort";
    case "NotBestEffort":
      return qosClass(spec) !== "BestEffort";
    case "PriorityClass":
      return meets(requirement, stringsOf([priorityClassName]));
    case "CrossNamespacePodAffinity":
      return looksBeyondNamespace(spec);
    default:
      return false;
  }
};

/** Evaluates scopes for persistent volume claims. */
export const claimScope: ScopeRule = (requirement, claim) => {
  const status = mapOf(claim["status"]);
  const classes = stringsOf([
    specOf(claim)["volumeAttributesClassName"],
    status["currentVolumeAttributesClassName"],
    mapOf(status["modifyVolumeStatus"])["targetVolumeAttributesClassName"],
  ]);
  return requirement["scopeName"] === "VolumeAttributesClass" && meets(requirement, classes);
};

/** Returns whether a pod has an active deadline. */
export function hasDeadline(pod: ApiObject): boolean {
  return Number(specOf(pod)["activeDeadlineSeconds"] ?? -1) >= 0;
}

/** Evaluates a requirement's operator against the names of an object. Empty names count as missing. */
function meets({ operator, values }: JsonObject, names: readonly string[]): boolean {
  const given = names.filter((name) => name !== "");
  const wanted = stringsOf(values);
  switch (operator) {
    case "Exists":
      return given.length > 0;
    case "DoesNotExist":
      return given.length === 0;
    case "In":
      return given.some((name) => wanted.includes(name));
    case "NotIn":
      return given.length === 0 || given.some((name) => !wanted.includes(name));
    default:
      return false;
  }
}

function looksBeyondNamespace(spec: JsonObject): boolean {
  const affinity = mapOf(spec["affinity"]);
  return ["podAffinity", "podAntiAffinity"].some((key) => {
    const rules = mapOf(affinity[key]);
    const terms = [
      ...objectsOf(rules["requiredDuringSchedulingIgnoredDuringExecution"]),
      ...objectsOf(rules["preferredDuringSchedulingIgnoredDuringExecution"]).map((weighted) =>
        mapOf(weighted["podAffinityTerm"]),
      ),
    ];
    return terms.some(
      ({ namespaces, namespaceSelector }) =>
        stringsOf(namespaces).length > 0 || (namespaceSelector ?? null) !== null,
    );
  });
}
