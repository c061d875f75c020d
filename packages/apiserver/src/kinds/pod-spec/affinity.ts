import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { dnsLabel, qualifiedName } from "../../phases/validate/old-checks.js";
import { validateNodeSelector, validateNodeTerm } from "../fields/node-selectors.js";
import { validateLabelKey } from "../fields/scheduling.js";
import { validateSelector } from "../fields/selectors.js";

const must = "requiredDuringSchedulingIgnoredDuringExecution";
const should = "preferredDuringSchedulingIgnoredDuringExecution";

/** Returns the field errors of a pod's affinity. */
export function validateAffinity(affinity: unknown, field: string): FieldErrors {
  const { nodeAffinity, podAffinity, podAntiAffinity } = mapOf(affinity);
  return [
    ...validateNodeAffinity(mapOf(nodeAffinity), `${field}.nodeAffinity`),
    ...validatePodAffinity(mapOf(podAffinity), `${field}.podAffinity`),
    ...validatePodAffinity(mapOf(podAntiAffinity), `${field}.podAntiAffinity`),
  ];
}

function validateNodeAffinity(affinity: JsonObject, field: string): FieldErrors {
  return [
    ...validateNodeSelector(affinity[must], `${field}.${must}`),
    ...objectsOf(affinity[should]).flatMap(({ weight, preference }, at) => [
      ...validateWeight(weight, `${field}.${should}[${at}]`),
      ...validateNodeTerm(preference, `${field}.${should}[${at}].preference`, false),
    ]),
  ];
}

function validatePodAffinity(affinity: JsonObject, field: string): FieldErrors {
  return [
    ...objectsOf(affinity[must]).flatMap((term, at) =>
      validatePodTerm(term, `${field}.${must}[${at}]`),
    ),
    ...objectsOf(affinity[should]).flatMap(({ weight, podAffinityTerm }, at) => [
      ...validateWeight(weight, `${field}.${should}[${at}]`),
      ...validatePodTerm(mapOf(podAffinityTerm), `${field}.${should}[${at}].podAffinityTerm`),
    ]),
  ];
}

function validateWeight(weight: unknown, field: string): FieldErrors {
  return Number(weight ?? 0) >= 1 && Number(weight) <= 100
    ? []
    : [cause.invalid(`${field}.weight`, weight ?? 0, "must be in the range 1-100")];
}

function validatePodTerm(term: JsonObject, field: string): FieldErrors {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term;
  return [
    ...validateSelector(labelSelector, `${field}.labelSelector`),
    ...validateSelector(namespaceSelector, `${field}.namespaceSelector`),
    // All names are reported at the same path.
    ...stringsOf(namespaces).flatMap((name) => dnsLabel(`${field}.namespace`, name)),
    ...validateComparedKey(term, field),
    ...(isUnset(topologyKey) ? [cause.required(`${field}.topologyKey`, "can not be empty")] : []),
    ...qualifiedName(`${field}.topologyKey`, String(topologyKey ?? "")),
  ];
}

function validateComparedKey(term: JsonObject, field: string): FieldErrors {
  return ["matchLabelKeys", "mismatchLabelKeys"].flatMap((list) =>
    stringsOf(term[list]).length > 0 && !isJsonObject(term["labelSelector"])
      ? [cause.forbidden(`${field}.${list}`, "must not be specified when labelSelector is not set")]
      : validateLabelKey(term, list, field),
  );
}
