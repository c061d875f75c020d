import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { familyOf, ipTexts } from "../../phases/validate/addresses.js";
import { isUnset } from "../../phases/validate/checks.js";
import { subdomain } from "../../phases/validate/old-checks.js";

const field = "status.loadBalancer.ingress";
const modes = ["Proxy", "VIP"];

/**
 * Returns the field errors of the addresses reported by a load balancer. Previously reported IP addresses are not
 * validated again.
 */
export function validateBalancerStatusChange(object: ApiObject, before: ApiObject): FieldErrors {
  const said = new Set(placesOf(before).map(({ ip }) => ip));
  return placesOf(object).flatMap(({ ip, hostname }, at) => [
    ...(isUnset(ip) || said.has(ip) ? [] : ipTexts(String(ip))).map((why) =>
      cause.invalid(`${field}[${at}].ip`, ip, why),
    ),
    ...(isUnset(hostname) ? [] : validateHost(String(hostname), `${field}[${at}].hostname`)),
  ]);
}

function validateHost(name: string, path: string): FieldErrors {
  return [
    ...subdomain(path, name),
    ...(familyOf(name) === 0
      ? []
      : [cause.invalid(path, name, "must be a DNS name, not an IP address")]),
  ];
}

/** Checks the IP modes of load balancer addresses. */
export function validateMode(service: ApiObject): FieldErrors {
  return placesOf(service).flatMap(({ ip, ipMode }, at) => {
    const path = `${field}[${at}].ipMode`;
    if (ipMode === undefined) {
      return [];
    }
    if (isUnset(ip)) {
      return [cause.forbidden(path, "may not be specified when `ip` is not set")];
    }
    return modes.includes(String(ipMode)) ? [] : [cause.notSupported(path, ipMode, modes)];
  });
}

function placesOf({ status }: ApiObject): JsonObject[] {
  return objectsOf(mapOf(getPath(status, "loadBalancer"))["ingress"]);
}
