import type { StatusCause } from "@typekube/core";
import { collectErrors, type FieldErrors } from "../../../errors/field-errors.js";
import { cause, invalid } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { addressFamily, validateClusterAddress } from "./cluster-addresses.js";

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
export function withFamilies(service: ApiObject, before: ApiObject | undefined): JsonObject {
  const then = before === undefined ? undefined : specOf(before);
  const given = specOf(service);
  const ipFamilyPolicy = given["ipFamilyPolicy"] ?? then?.["ipFamilyPolicy"] ?? policyFor(given);
  const spec = released({ ...given, ipFamilyPolicy }, then);
  assertNone(
    service,
    collectErrors((found) => validateClusterAddress(spec, found, then)),
  );
  const { families, causes } = inferred(spec);
  assertNone(service, [
    ...collectErrors((found) => validateFamilyRelease(spec, then, found)),
    ...collectErrors((found) => validatePolicy(spec, found)),
    ...causes,
  ]);
  if (isFree(spec)) {
    const [first = served, second] = families;
    const other = first === "IPv4" ? "IPv6" : "IPv4";
    const both =
      second === undefined && ipFamilyPolicy !== "SingleStack" ? [first, other] : families;
    return { ...spec, ipFamilies: both.length === 0 ? [first] : both };
  }
  assertNone(service, [
    ...(ipFamilyPolicy === "RequireDualStack"
      ? [policyCause(ipFamilyPolicy, "this cluster is not configured for dual-stack services")]
      : []),
    ...families.flatMap((family, at) =>
      family === served
        ? []
        : [cause.invalid(`spec.ipFamilies[${at}]`, family, "not configured on this cluster")],
    ),
  ]);
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
function released(spec: JsonObject, then: JsonObject | undefined): JsonObject {
  if (then === undefined || spec["ipFamilyPolicy"] !== "SingleStack") {
    return spec;
  }
  const first = (field: string) => {
    const now = stringsOf(spec[field]);
    return now.length > 1 && jsonEqual(now, then[field]) ? { [field]: now.slice(0, 1) } : {};
  };
  return { ...spec, ...first("clusterIPs"), ...first("ipFamilies") };
}

/** Appends errors for a secondary address or family that was removed without the policy SingleStack. */
function validateFamilyRelease(
  spec: JsonObject,
  then: JsonObject | undefined,
  errors: FieldErrors,
): void {
  const policy = spec["ipFamilyPolicy"];
  if (then === undefined || policy === "SingleStack") {
    return;
  }
  const isReduced = (field: string) => {
    const now = stringsOf(spec[field]).length;
    return now > 0 && now < stringsOf(then[field]).length;
  };
  for (const [field = "", what] of [
    ["clusterIPs", "cluster IP"],
    ["ipFamilies", "IP family"],
  ]) {
    if (isReduced(field)) {
      errors.push(policyCause(policy, `must be 'SingleStack' to release the secondary ${what}`));
    }
  }
}

function validatePolicy(spec: JsonObject, errors: FieldErrors): void {
  const policy = spec["ipFamilyPolicy"];
  for (const [field = "", what] of [
    ["clusterIPs", "cluster IPs"],
    ["ipFamilies", "IP families"],
  ]) {
    if (policy === "SingleStack" && stringsOf(spec[field]).length === 2) {
      errors.push(
        policyCause(
          policy,
          `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
        ),
      );
    }
  }
}

/** Returns the requested families, completed from the addresses. */
function inferred(spec: JsonObject): { families: string[]; causes: StatusCause[] } {
  const ips = stringsOf(spec["clusterIPs"]);
  const families = stringsOf(spec["ipFamilies"]);
  const causes: StatusCause[] = [];
  for (const [at, ip] of ips.entries()) {
    if (ip === "None") {
      break;
    }
    if (at >= families.length) {
      const family = addressFamily(ip);
      if (family === served) {
        families.push(family);
      } else {
        const why = `${family} is not configured on this cluster`;
        causes.push(cause.invalid(`spec.clusterIPs[${at}]`, ips, why));
      }
    }
  }
  return { families, causes };
}

function policyCause(policy: unknown, why: string): StatusCause {
  return cause.invalid("spec.ipFamilyPolicy", policy, why);
}

function assertNone({ metadata }: ApiObject, causes: readonly StatusCause[]): void {
  if (causes.length > 0) {
    throw invalid(invalidService, metadata.name ?? "", causes);
  }
}
