import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { familyOf } from "../../phases/validate/addresses.js";
import {
  isUnset,
  validateIp,
  validateOptional,
  validateSubdomain,
} from "../../phases/validate/checks.js";

const path = "status.loadBalancer.ingress";
const modes = ["Proxy", "VIP"];

/**
 * Appends the field errors of the addresses reported by a load balancer. Previously reported IP addresses are not
 * validated again.
 */
export function validateBalancerStatus(
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const known = placesOf(old).map(({ ip }) => ip);
  for (const [at, { ip, hostname }] of placesOf(object).entries()) {
    if (!known.includes(ip)) {
      validateOptional(ip, validateIp, `${path}[${at}].ip`, errors);
    }
    validateOptional(hostname, validateHost, `${path}[${at}].hostname`, errors);
  }
}

function validateHost(name: unknown, at: string, errors: FieldErrors): void {
  validateSubdomain(name, at, errors);
  if (familyOf(String(name)) !== 0) {
    errors.push(cause.invalid(at, name, "must be a DNS name, not an IP address"));
  }
}

/** Appends the field errors of the IP modes of load balancer addresses. */
export function validateIpModes(service: ApiObject, errors: FieldErrors): void {
  for (const [at, { ip, ipMode }] of placesOf(service).entries()) {
    if (ipMode !== undefined && isUnset(ip)) {
      const why = "may not be specified when `ip` is not set";
      errors.push(cause.forbidden(`${path}[${at}].ipMode`, why));
    } else if (ipMode !== undefined && !modes.includes(String(ipMode))) {
      errors.push(cause.notSupported(`${path}[${at}].ipMode`, ipMode, modes));
    }
  }
}

function placesOf({ status }: ApiObject): JsonObject[] {
  return objectsOf(mapOf(getPath(status, "loadBalancer"))["ingress"]);
}
