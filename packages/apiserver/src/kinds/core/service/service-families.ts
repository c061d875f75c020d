import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { invalid } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { addressFamily, validateClusterAddresses } from "./cluster-addresses.js";

/** The only IP family of this server's service range. */
const served = "IPv4";
const invalidService = { group: "", kind: "Service" };

/**
 * Chooses the IP family policy and the families of a Service that gets addresses, on a single-stack cluster. Only a
 * Service without selector and address can have both families: its owner manages the endpoints. (service/storage
 * `Allocators.initIPFamilyFields`)
 *
 * @throws {StatusError} 422 for addresses and families that don't match each other or this cluster. Real servers make
 *   these checks before all others.
 */
export function withFamilies(service: ApiObject, old: ApiObject | undefined): JsonObject {
  const oldSpec = old && specOf(old);
  const given = specOf(service);
  const ipFamilyPolicy = given["ipFamilyPolicy"] ?? oldSpec?.["ipFamilyPolicy"] ?? policyFor(given);
  const spec = released({ ...given, ipFamilyPolicy }, oldSpec);
  const errors: FieldErrors = [];
  validateClusterAddresses(spec, errors, oldSpec);
  assertNone(service, errors);
  validateFamilyRelease(spec, oldSpec, errors);
  validatePolicy(spec, errors);
  const families = inferFamilies(spec, errors);
  assertNone(service, errors);
  if (isFree(spec)) {
    const [first = served, second] = families;
    const other = first === "IPv4" ? "IPv6" : "IPv4";
    const needsOther = second === undefined && ipFamilyPolicy !== "SingleStack";
    return { ...spec, ipFamilies: needsOther ? [first, other] : [first, ...families.slice(1)] };
  }
  validateServed(families, ipFamilyPolicy, errors);
  assertNone(service, errors);
  return { ...spec, ipFamilies: families.length === 0 ? [served] : families };
}

/** Returns true for a headless Service without a selector: its owner manages the endpoints. */
function isFree(spec: JsonObject): boolean {
  return spec["clusterIP"] === "None" && Object.keys(mapOf(spec["selector"])).length === 0;
}

function policyFor(spec: JsonObject): string {
  return isFree(spec) ? "RequireDualStack" : "SingleStack";
}

/** Drops the secondary address and family when the policy changes to SingleStack and they are unchanged. */
function released(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  if (old === undefined || spec["ipFamilyPolicy"] !== "SingleStack") {
    return spec;
  }
  const first = (key: string) => {
    const now = stringsOf(spec[key]);
    return now.length > 1 && jsonEqual(now, old[key]) ? { [key]: now.slice(0, 1) } : {};
  };
  return { ...spec, ...first("clusterIPs"), ...first("ipFamilies") };
}

/** Appends errors for a secondary address or family that was removed without the policy SingleStack. */
function validateFamilyRelease(
  spec: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
): void {
  const policy = spec["ipFamilyPolicy"];
  if (old === undefined || policy === "SingleStack") {
    return;
  }
  for (const [key, what] of [
    ["clusterIPs", "cluster IP"],
    ["ipFamilies", "IP family"],
  ] as const) {
    const count = stringsOf(spec[key]).length;
    if (count > 0 && count < stringsOf(old[key]).length) {
      errors.push(policyError(policy, `must be 'SingleStack' to release the secondary ${what}`));
    }
  }
}

function validatePolicy(spec: JsonObject, errors: FieldErrors): void {
  const policy = spec["ipFamilyPolicy"];
  for (const [key, what] of [
    ["clusterIPs", "cluster IPs"],
    ["ipFamilies", "IP families"],
  ] as const) {
    if (policy === "SingleStack" && stringsOf(spec[key]).length === 2) {
      const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
      errors.push(policyError(policy, why));
    }
  }
}

/** Returns the requested families, completed from the addresses; appends errors for families that are not served. */
function inferFamilies(spec: JsonObject, errors: FieldErrors): string[] {
  const ips = stringsOf(spec["clusterIPs"]);
  const families = stringsOf(spec["ipFamilies"]);
  for (const [at, ip] of ips.entries()) {
    if (ip === "None") {
      break;
    }
    const family = addressFamily(ip);
    if (at >= families.length && family === served) {
      families.push(family);
    } else if (at >= families.length) {
      const why = `${family} is not configured on this cluster`;
      errors.push(cause.invalid(`spec.clusterIPs[${at}]`, ips, why));
    }
  }
  return families;
}

function validateServed(families: readonly string[], policy: unknown, errors: FieldErrors): void {
  if (policy === "RequireDualStack") {
    errors.push(policyError(policy, "this cluster is not configured for dual-stack services"));
  }
  for (const [at, family] of families.entries()) {
    if (family !== served) {
      const why = "not configured on this cluster";
      errors.push(cause.invalid(`spec.ipFamilies[${at}]`, family, why));
    }
  }
}

function policyError(policy: unknown, why: string): StatusCause {
  return cause.invalid("spec.ipFamilyPolicy", policy, why);
}

function assertNone({ metadata }: ApiObject, errors: FieldErrors): void {
  if (errors.length > 0) {
    throw invalid(invalidService, metadata.name ?? "", errors);
  }
}
