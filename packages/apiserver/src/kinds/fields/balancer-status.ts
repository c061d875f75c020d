import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { familyOf, ipTexts } from "../../phases/validate/addresses.js";
import { appendInvalid, isUnset, validateSubdomain } from "../../phases/validate/checks.js";

const field = "status.loadBalancer.ingress";
const modes = ["Proxy", "VIP"];

/**
 * Appends the field errors of the addresses reported by a load balancer. Previously reported IP addresses are not
 * validated again.
 */
export function validateBalancerStatusChange(
  object: ApiObject,
  before: ApiObject,
  errors: FieldErrors,
): void {
  const said = new Set(placesOf(before).map(({ ip }) => ip));
  for (const [at, { ip, hostname }] of placesOf(object).entries()) {
    appendInvalid(
      isUnset(ip) || said.has(ip) ? [] : ipTexts(String(ip)),
      ip,
      `${field}[${at}].ip`,
      errors,
    );
    if (!isUnset(hostname)) {
      validateHost(String(hostname), `${field}[${at}].hostname`, errors);
    }
  }
}

function validateHost(name: string, path: string, errors: FieldErrors): void {
  validateSubdomain(name, path, errors);
  if (familyOf(name) !== 0) {
    errors.push(cause.invalid(path, name, "must be a DNS name, not an IP address"));
  }
}

/** Checks the IP modes of load balancer addresses. */
export function validateMode(service: ApiObject, errors: FieldErrors): void {
  for (const [at, { ip, ipMode }] of placesOf(service).entries()) {
    const path = `${field}[${at}].ipMode`;
    if (ipMode === undefined) {
      continue;
    }
    if (isUnset(ip)) {
      errors.push(cause.forbidden(path, "may not be specified when `ip` is not set"));
      continue;
    }
    if (!modes.includes(String(ipMode))) {
      errors.push(cause.notSupported(path, ipMode, modes));
    }
  }
}

function placesOf({ status }: ApiObject): JsonObject[] {
  return objectsOf(mapOf(getPath(status, "loadBalancer"))["ingress"]);
}
