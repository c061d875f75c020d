import { isIP } from "node:net";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { isUnset, validateQualifiedName } from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of a Pod status reported by a kubelet or scheduler. */
export function validatePodStatus(pod: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const [status, oldStatus] = [mapOf(pod["status"]), mapOf(old["status"])];
  const { qosClass, observedGeneration } = status;
  if (!jsonEqual(qosClass ?? null, oldStatus["qosClass"] ?? null)) {
    errors.push(cause.invalid("status.qosClass", qosClass, "field is immutable"));
  }
  validateNomination(pod, oldStatus, errors);
  validateGeneration(observedGeneration, "status.observedGeneration", errors);
  for (const [at, condition] of objectsOf(status["conditions"]).entries()) {
    const path = `status.conditions[${at}]`;
    validateGeneration(condition["observedGeneration"], `${path}.observedGeneration`, errors);
    validateQualifiedName(condition["type"], `${path}.Type`, errors);
  }
  validateAddresses(status, errors);
  validateRestarts(pod, oldStatus, errors);
  validateClaims(pod, errors);
}

function validateGeneration(generation: unknown, path: string, errors: FieldErrors): void {
  if (Number(generation ?? 0) < 0) {
    errors.push(cause.invalid(path, generation, "must be a non-negative integer"));
  }
}

function validateNomination(pod: ApiObject, old: JsonObject, errors: FieldErrors): void {
  const path = "status.nominatedNodeName";
  const { nominatedNodeName: node } = mapOf(pod["status"]);
  const isNew = !isUnset(node) && old["nominatedNodeName"] !== node;
  validateFields("core/v1.PodStatus", mapOf(pod["status"]), "status", errors);
  if (isNew && !isUnset(specOf(pod)["nodeName"])) {
    const why = "may not be set on pods that are already bound to a node";
    errors.push(cause.forbidden(path, why));
  }
}

function validateAddresses({ podIPs, hostIP, hostIPs }: JsonObject, errors: FieldErrors): void {
  const addresses = objectsOf(podIPs);
  const families = addresses.map(({ ip }) => isIP(String(ip ?? "")));
  const [host] = objectsOf(hostIPs);
  for (const [at, { ip }] of addresses.entries()) {
    if (families[at] === 0) {
      const why = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
      errors.push(cause.invalid(`status.podIPs[${at}]`, ip, why));
    }
  }
  if (!families.includes(0) && new Set(families).size < families.length) {
    const shown = addresses.map(({ ip }) => ({ IP: ip }));
    const why = "may specify no more than one IP for each IP family";
    errors.push(cause.invalid("status.podIPs", shown, why));
  }
  if (host !== undefined && host["ip"] !== hostIP) {
    errors.push(cause.invalid("status.hostIPs[0].ip", host["ip"], "must be equal to `hostIP`"));
  }
}

/** Checks that terminated containers don't run again, if the restart policy forbids it. */
function validateRestarts(pod: ApiObject, old: JsonObject, errors: FieldErrors): void {
  const { restartPolicy } = specOf(pod);
  const { containerStatuses } = mapOf(pod["status"]);
  const staysTerminated = (container: unknown) => {
    const states = objectsOf(old["containerStatuses"]).filter(({ name }) => name === container);
    const [end] = states.flatMap(({ state }) => mapOf(state)["terminated"] ?? []);
    const isOver = restartPolicy === "OnFailure" && mapOf(end)["exitCode"] === 0;
    return end !== undefined && (restartPolicy === "Never" || isOver);
  };
  for (const [at, { name, state }] of objectsOf(containerStatuses).entries()) {
    if (mapOf(state)["terminated"] === undefined && staysTerminated(name)) {
      const why = "may not be transitioned to non-terminated state";
      errors.push(cause.forbidden(`status.containerStatuses[${at}].state`, why));
    }
  }
}

function validateClaims(pod: ApiObject, errors: FieldErrors): void {
  const known = objectsOf(specOf(pod)["resourceClaims"]).map(({ name }) => name);
  for (const [at, { name }] of objectsOf(mapOf(pod["status"])["resourceClaimStatuses"]).entries()) {
    if (!known.includes(name)) {
      const why = "must match the name of an entry in `spec.resourceClaims`";
      errors.push(cause.invalid(`status.resourceClaimStatuses[${at}].name`, name, why));
    }
  }
}
