import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateDnsLabel, validateItems } from "../../phases/validate/checks.js";
import { validateNodeSelector, validateNodeTerm } from "../fields/node-selectors.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { validateComparedKeys } from "./topology-spread.js";

/** Field of the rules that a node must meet. */
export const must = "requiredDuringSchedulingIgnoredDuringExecution";
/** Field of the rules that a node should meet. */
export const should = "preferredDuringSchedulingIgnoredDuringExecution";

/** Appends the field errors of a pod's affinity. */
export function validateAffinity(affinity: unknown, path: string, errors: FieldErrors): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = mapOf(affinity);
  validateNodeAffinity(mapOf(nodeAffinity), `${path}.nodeAffinity`, errors);
  validatePodAffinity(mapOf(podAffinity), `${path}.podAffinity`, errors);
  validatePodAffinity(mapOf(podAntiAffinity), `${path}.podAntiAffinity`, errors);
}

function validateNodeAffinity(affinity: JsonObject, path: string, errors: FieldErrors): void {
  validateNodeSelector(affinity[must], `${path}.${must}`, errors);
  for (const [at, { weight, preference }] of objectsOf(affinity[should]).entries()) {
    validateWeight(weight, `${path}.${should}[${at}]`, errors);
    validateNodeTerm(preference, `${path}.${should}[${at}].preference`, errors, false);
  }
}

function validatePodAffinity(affinity: JsonObject, path: string, errors: FieldErrors): void {
  validateItems(objectsOf(affinity[must]), validatePodTerm, `${path}.${must}`, errors);
  for (const [at, { weight, podAffinityTerm }] of objectsOf(affinity[should]).entries()) {
    validateWeight(weight, `${path}.${should}[${at}]`, errors);
    validatePodTerm(mapOf(podAffinityTerm), `${path}.${should}[${at}].podAffinityTerm`, errors);
  }
}

function validateWeight(weight: unknown, path: string, errors: FieldErrors): void {
  if (!(Number(weight ?? 0) >= 1) || !(Number(weight) <= 100)) {
    errors.push(cause.invalid(`${path}.weight`, weight ?? 0, "must be in the range 1-100"));
  }
}

function validatePodTerm(term: JsonObject, path: string, errors: FieldErrors): void {
  const validate = fieldValidator("core/v1.PodAffinityTerm", term, path, errors);
  validate("labelSelector", "namespaceSelector");
  for (const name of stringsOf(term["namespaces"])) {
    validateDnsLabel(name, `${path}.namespace`, errors);
  }
  for (const list of ["matchLabelKeys", "mismatchLabelKeys"]) {
    validateComparedKeys(term, list, path, errors);
  }
  validate("topologyKey");
}
