import { isIP } from "node:net";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import {
  isUnset,
  validateQualifiedName,
  validateSubdomain,
} from "../../../phases/validate/checks.js";

const noAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const tooManyAddresses = "may specify no more than one IP for each IP family";
const noCount = "must be a non-negative integer";

/** Appends the field errors of a Pod status reported by a kubelet or scheduler. */
export function validatePodStatus(pod: ApiObject, before: ApiObject, errors: FieldErrors): void {
  const status = mapOf(pod["status"]);
  const then = mapOf(before["status"]);
  const { qosClass, observedGeneration, conditions } = status;
  if (!jsonEqual(qosClass ?? null, then["qosClass"] ?? null)) {
    errors.push(cause.invalid("status.qosClass", qosClass, "field is immutable"));
  }
  validateNomination(pod, then, errors);
  if (Number(observedGeneration ?? 0) < 0) {
    errors.push(cause.invalid("status.observedGeneration", observedGeneration, noCount));
  }
  for (const [at, { type, observedGeneration: seen }] of objectsOf(conditions).entries()) {
    if (Number(seen ?? 0) < 0) {
      errors.push(cause.invalid(`status.conditions[${at}].observedGeneration`, seen, noCount));
    }
    validateQualifiedName(type, `status.conditions[${at}].Type`, errors);
  }
  validateAddress(status, errors);
  validateRestart(pod, then, errors);
  validateClaim(pod, errors);
}

function validateNomination(pod: ApiObject, then: JsonObject, errors: FieldErrors): void {
  const { nominatedNodeName } = mapOf(pod["status"]);
  const field = "status.nominatedNodeName";
  const bound = "may not be set on pods that are already bound to a node";
  if (!isUnset(nominatedNodeName)) {
    validateSubdomain(nominatedNodeName, field, errors);
    if (!isUnset(specOf(pod)["nodeName"]) && then["nominatedNodeName"] !== nominatedNodeName) {
      errors.push(cause.forbidden(field, bound));
    }
  }
}

function validateAddress({ podIPs, hostIP, hostIPs }: JsonObject, errors: FieldErrors): void {
  const addresses = objectsOf(podIPs);
  const wrong: FieldErrors = [];
  for (const [at, { ip }] of addresses.entries()) {
    if (isIP(String(ip ?? "")) === 0) {
      wrong.push(cause.invalid(`status.podIPs[${at}]`, ip, noAddress));
    }
  }
  const families = addresses.map(({ ip }) => isIP(String(ip ?? "")));
  const shown = addresses.map(({ ip }) => ({ IP: ip }));
  const [host] = objectsOf(hostIPs);
  errors.push(...wrong);
  if (wrong.length === 0 && new Set(families).size < families.length) {
    errors.push(cause.invalid("status.podIPs", shown, tooManyAddresses));
  }
  if (host !== undefined && host["ip"] !== hostIP) {
    errors.push(cause.invalid("status.hostIPs[0].ip", host["ip"], "must be equal to `hostIP`"));
  }
}

/** Checks that terminated containers don't run again, if the restart policy forbids it. */
function validateRestart(pod: ApiObject, then: JsonObject, errors: FieldErrors): void {
  const policy = specOf(pod)["restartPolicy"];
  const ended = objectsOf(then["containerStatuses"]).filter(
    ({ state }) => mapOf(state)["terminated"] !== undefined,
  );
  const stays = (exitCode: unknown) =>
    policy === "Never" || (policy === "OnFailure" && exitCode === 0);
  for (const [at, { name, state }] of objectsOf(
    mapOf(pod["status"])["containerStatuses"],
  ).entries()) {
    const old = ended.find((one) => one["name"] === name);
    const { exitCode } = mapOf(mapOf(old?.["state"])["terminated"]);
    if (old !== undefined && stays(exitCode) && mapOf(state)["terminated"] === undefined) {
      errors.push(
        cause.forbidden(
          `status.containerStatuses[${at}].state`,
          "may not be transitioned to non-terminated state",
        ),
      );
    }
  }
}

function validateClaim(pod: ApiObject, errors: FieldErrors): void {
  const known = objectsOf(specOf(pod)["resourceClaims"]).map(({ name }) => name);
  for (const [at, { name }] of objectsOf(mapOf(pod["status"])["resourceClaimStatuses"]).entries()) {
    if (!known.includes(name)) {
      errors.push(
        cause.invalid(
          `status.resourceClaimStatuses[${at}].name`,
          name,
          "must match the name of an entry in `spec.resourceClaims`",
        ),
      );
    }
  }
}
