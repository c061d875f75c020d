import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, isOutside } from "../../../phases/validate/addresses.js";
import {
  appendInvalid,
  type Check,
  validateItems,
  validatePort,
  validatePortOrName,
} from "../../../phases/validate/checks.js";
import { fieldValidator, validateFields } from "../../fields/validate-fields.js";

/** Rule lists of a NetworkPolicy, and the peer list of each rule. */
export const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

/** Appends the field errors of a NetworkPolicy. CIDRs of the old policy are not validated again. */
export function validateNetworkPolicy(
  policy: ApiObject,
  errors: FieldErrors,
  old?: ApiObject,
): void {
  const spec = specOf(policy);
  const types = stringsOf(spec["policyTypes"]);
  const known = new Set(rangesOf(old ?? {}));
  const validatePolicyPeer: Check<JsonObject> = (peer, path, found) =>
    validatePeer(peer, path, found, known);
  const validate = fieldValidator("networking/v1.NetworkPolicySpec", spec, "spec", errors);
  validate("podSelector");
  for (const [key, peers] of directions) {
    for (const [at, rule] of objectsOf(spec[key]).entries()) {
      const path = `spec.${key}[${at}]`;
      validateItems(objectsOf(rule["ports"]), validatePolicyPort, `${path}.ports`, errors);
      validateItems(objectsOf(rule[peers]), validatePolicyPeer, `${path}.${peers}`, errors);
    }
  }
  if (types.length > 2) {
    const why = "may not specify more than two policyTypes";
    errors.push(cause.invalid("spec.policyTypes", types, why));
  } else {
    validate("policyTypes");
  }
}

/** Returns the CIDRs of a policy. */
function rangesOf(policy: JsonObject): string[] {
  const blocks = directions.flatMap(([key, peers]) =>
    objectsOf(specOf(policy)[key]).flatMap((rule) =>
      objectsOf(rule[peers]).map(({ ipBlock }) => mapOf(ipBlock)),
    ),
  );
  return blocks.flatMap(({ cidr, except }) => [String(cidr), ...stringsOf(except)]);
}

function validatePolicyPort(rule: JsonObject, path: string, errors: FieldErrors): void {
  const { port, endPort } = rule;
  validateFields("networking/v1.NetworkPolicyPort", rule, path, errors);
  if (typeof port === "number") {
    validatePort(port, `${path}.port`, errors);
  }
  if (typeof endPort === "number") {
    validateEndPort(endPort, port, `${path}.endPort`, errors);
  }
  if (typeof port === "string") {
    validatePortOrName(port, `${path}.port`, errors);
  }
}

function validateEndPort(last: number, port: unknown, path: string, errors: FieldErrors): void {
  if (port === undefined) {
    errors.push(cause.invalid(path, last, "may not be specified when `port` is not specified"));
  } else if (typeof port === "string") {
    errors.push(cause.invalid(path, last, "may not be specified when `port` is non-numeric"));
  } else {
    if (last < Number(port)) {
      errors.push(cause.invalid(path, last, "must be greater than or equal to `port`"));
    }
    validatePort(last, path, errors);
  }
}

function validatePeer(
  peer: JsonObject,
  path: string,
  errors: FieldErrors,
  known: ReadonlySet<string>,
): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const hasSelector = isJsonObject(podSelector) || isJsonObject(namespaceSelector);
  if (!hasSelector && !isJsonObject(ipBlock)) {
    errors.push(cause.required(path, "must specify a peer"));
  }
  validateFields("networking/v1.NetworkPolicyPeer", peer, path, errors);
  if (isJsonObject(ipBlock)) {
    validateIpBlock(ipBlock, `${path}.ipBlock`, errors, known);
    if (hasSelector) {
      errors.push(cause.forbidden(path, "may not specify both ipBlock and another peer"));
    }
  }
}

function validateIpBlock(
  block: JsonObject,
  path: string,
  errors: FieldErrors,
  known: ReadonlySet<string>,
): void {
  const cidr = String(block["cidr"] ?? "");
  const validateRange = (range: string, at: string) =>
    appendInvalid(known.has(range) ? [] : cidrTexts(range), range, at, errors);
  if (cidr !== "") {
    validateRange(cidr, `${path}.cidr`);
  }
  for (const [at, range] of stringsOf(block["except"]).entries()) {
    validateRange(range, `${path}.except[${at}]`);
    if (isOutside(range, cidr)) {
      const why = "must be a strict subset of `cidr`";
      errors.push(cause.invalid(`${path}.except[${at}]`, range, why));
    }
  }
}
