import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { cidrTexts, isOutside } from "../../phases/validate/addresses.js";
import {
  appendInvalid,
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateItems,
  validateOptional,
  validatePort,
  validatePortOrName,
  validateRequiredWith,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { validateNamedKind } from "../fields/others.js";
import { validateSelector } from "../fields/selectors.js";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

/** Appends the field errors of an Ingress. */
export function validateIngress(ingress: ApiObject, errors: FieldErrors): void {
  const spec = specOf(ingress);
  const { defaultBackend, ingressClassName } = spec;
  const rules = objectsOf(spec["rules"]);
  if (rules.length === 0 && !isJsonObject(defaultBackend)) {
    errors.push(
      cause.invalid("spec", null, "either `defaultBackend` or `rules` must be specified"),
    );
  }
  if (isJsonObject(defaultBackend)) {
    validateBackend(defaultBackend, "spec.defaultBackend", errors);
  }
  validateItems(rules, validateRule, "spec.rules", errors);
  for (const [at, { hosts, secretName }] of objectsOf(spec["tls"]).entries()) {
    validateItems(stringsOf(hosts), validateName, `spec.tls[${at}].hosts`, errors);
    validateOptional(secretName, validateSubdomain, `spec.tls[${at}].secretName`, errors);
  }
  if (typeof ingressClassName === "string") {
    validateSubdomain(ingressClassName, "spec.ingressClassName", errors);
  }
}

function validateRule({ host, http }: JsonObject, field: string, errors: FieldErrors): void {
  const name: FieldErrors = [];
  if (!isUnset(host)) {
    validateHost(String(host), `${field}.host`, name);
  }
  if (!isJsonObject(http)) {
    errors.push(...name);
    return;
  }
  const paths = objectsOf(http["paths"]);
  errors.push(...name);
  if (paths.length === 0) {
    errors.push(cause.required(`${field}.http.paths`));
  }
  validateItems(paths, validatePath, `${field}.http.paths`, errors);
}

function validateHost(host: string, path: string, errors: FieldErrors): void {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) {
    errors.push(cause.invalid(path, host, "must be a DNS name, not an IP address"));
    return;
  }
  validateName(host, path, errors);
}

/** Checks a host name or wildcard host. */
function validateName(host: string, path: string, errors: FieldErrors): void {
  if (!host.includes("*")) {
    validateSubdomain(host, path, errors);
    return;
  }
  if (
    !host.startsWith("*.") ||
    collectErrors((found) => validateSubdomain(host.slice(2), path, found)).length !== 0
  ) {
    errors.push(
      cause.invalid(
        path,
        host,
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ),
    );
  }
}

/** Sequences that a path must not contain. */
const badParts = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds = ["/..", "/."];

function validatePath(
  { path, pathType, backend }: JsonObject,
  field: string,
  errors: FieldErrors,
): void {
  const text = String(path ?? "");
  const isExact = pathType === "Exact" || pathType === "Prefix";
  const invalid = (why: string) => cause.invalid(`${field}.path`, text, why);
  const isRelative = !text.startsWith("/") && (isExact || text !== "");
  if (pathType === undefined || pathType === null) {
    errors.push(cause.required(`${field}.pathType`, "pathType must be specified"));
    return;
  }
  if (isExact) {
    if (isRelative) {
      errors.push(invalid("must be an absolute path"));
    }
    if (text !== "") {
      for (const part of badParts.filter((part) => text.includes(part))) {
        errors.push(invalid(`must not contain '${part}'`));
      }
      for (const end of badEnds.filter((end) => text.endsWith(end))) {
        errors.push(invalid(`cannot end with '${end}'`));
      }
    }
  } else if (pathType === "ImplementationSpecific") {
    if (isRelative) {
      errors.push(invalid("must be an absolute path"));
    }
  } else {
    validateGivenOneOf(pathType, pathTypes, `${field}.pathType`, errors);
  }
  validateBackend(mapOf(backend), `${field}.backend`, errors);
}

function validateBackend(
  { service, resource }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const hasResource = isJsonObject(resource);
  if (!isJsonObject(service)) {
    if (hasResource) {
      validateNamedKind(resource, `${path}.resource`, errors);
    } else {
      errors.push(cause.invalid(path, "", "resource or service backend is required"));
    }
    return;
  }
  if (hasResource) {
    errors.push(cause.invalid(path, "", "cannot set both resource and service backends"));
    return;
  }
  const { name, number } = mapOf(service["port"]);
  const hasName = !isUnset(name);
  const hasNumber = (number ?? 0) !== 0;
  const port: FieldErrors = [];
  if (hasName && hasNumber) {
    port.push(cause.invalid(path, "", "cannot set both port name & port number"));
  } else if (hasName) {
    validatePortOrName(name, `${path}.service.port.name`, port);
  } else if (hasNumber) {
    validatePort(number, `${path}.service.port.number`, port);
  } else {
    port.push(cause.required(path, "port name or number is required"));
  }
  validateRequiredWith(service["name"], validateDnsLabel, `${path}.service.name`, errors);
  errors.push(...port);
}

const classAnnotation = "kubernetes.io/ingress.class";

/** Checks that a new Ingress does not name two classes by its field and annotation. */
export function validateNewIngress(ingress: ApiObject, errors: FieldErrors): void {
  const { ingressClassName } = specOf(ingress);
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  if (!isUnset(ingressClassName) && annotated !== undefined && annotated !== ingressClassName) {
    errors.push(
      cause.invalid(
        `annotations.${classAnnotation}`,
        annotated,
        "must match `ingressClassName` when both are specified",
      ),
    );
  }
}

/** Rule lists of a NetworkPolicy, and the peer list of each rule. */
const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

/** Returns the CIDRs that a policy already has. They may remain even if invalid for a new policy. */
function rangesOf(policy: JsonObject): ReadonlySet<string> {
  const blocks = directions.flatMap(([key, peers]) =>
    objectsOf(specOf(policy)[key]).flatMap((rule) =>
      objectsOf(rule[peers]).map(({ ipBlock }) => mapOf(ipBlock)),
    ),
  );
  return new Set(blocks.flatMap(({ cidr, except }) => [String(cidr), ...stringsOf(except)]));
}

/** Appends the field errors of a NetworkPolicy. */
export function validateNetworkPolicy(
  policy: ApiObject,
  errors: FieldErrors,
  before?: ApiObject,
): void {
  const spec = specOf(policy);
  const kept = rangesOf(before ?? {});
  const types = stringsOf(spec["policyTypes"]);
  const rules = (key: string, peers: string) =>
    objectsOf(spec[key]).flatMap((rule, at) => [
      ...objectsOf(rule["ports"]).flatMap((port, portAt) =>
        collectErrors((found) =>
          validatePolicyPort(port, `spec.${key}[${at}].ports[${portAt}]`, found),
        ),
      ),
      ...objectsOf(rule[peers]).flatMap((peer, peerAt) =>
        collectErrors((found) =>
          validatePeer(peer, `spec.${key}[${at}].${peers}[${peerAt}]`, found, kept),
        ),
      ),
    ]);
  validateSelector(spec["podSelector"], "spec.podSelector", errors);
  for (const [key, peers] of directions) {
    errors.push(...rules(key, peers));
  }
  if (types.length > 2) {
    errors.push(
      cause.invalid("spec.policyTypes", types, "may not specify more than two policyTypes"),
    );
  } else {
    for (const [at, type] of types.entries()) {
      validateGivenOneOf(type, ["Ingress", "Egress"], `spec.policyTypes[${at}]`, errors);
    }
  }
}

function validatePolicyPort(
  { port, endPort, protocol }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const last = typeof endPort === "number" ? endPort : undefined;
  const range: FieldErrors = [];
  if (last !== undefined) {
    if (port === undefined) {
      range.push(
        cause.invalid(`${path}.endPort`, last, "may not be specified when `port` is not specified"),
      );
    } else if (typeof port === "string") {
      range.push(
        cause.invalid(`${path}.endPort`, last, "may not be specified when `port` is non-numeric"),
      );
    } else {
      if (last < Number(port)) {
        range.push(
          cause.invalid(`${path}.endPort`, last, "must be greater than or equal to `port`"),
        );
      }
      validatePort(last, `${path}.endPort`, range);
    }
  }
  const isNumber = typeof port === "number";
  validateGivenOneOf(protocol, ["TCP", "UDP", "SCTP"], `${path}.protocol`, errors);
  if (isNumber) {
    validatePortOrName(port, `${path}.port`, errors);
  }
  errors.push(...range);
  if (typeof port === "string") {
    validatePortOrName(port, `${path}.port`, errors);
  }
}

function validatePeer(
  peer: JsonObject,
  path: string,
  errors: FieldErrors,
  kept: ReadonlySet<string>,
): void {
  const { ipBlock } = peer;
  const hasSelector = isJsonObject(peer["podSelector"]) || isJsonObject(peer["namespaceSelector"]);
  const selectors: FieldErrors = [];
  for (const key of ["podSelector", "namespaceSelector"]) {
    validateSelector(peer[key], `${path}.${key}`, selectors);
  }
  if (!isJsonObject(ipBlock)) {
    if (hasSelector) {
      errors.push(...selectors);
    } else {
      errors.push(cause.required(path, "must specify a peer"));
    }
    return;
  }
  const cidr = String(ipBlock["cidr"] ?? "");
  const block = `${path}.ipBlock`;
  const wrong = (range: string) => (kept.has(range) ? [] : cidrTexts(range));
  errors.push(...selectors);
  appendInvalid(cidr === "" ? [] : wrong(cidr), cidr, `${block}.cidr`, errors);
  for (const [at, one] of stringsOf(ipBlock["except"]).entries()) {
    for (const why of [
      ...wrong(one),
      ...(isOutside(one, cidr) ? ["must be a strict subset of `cidr`"] : []),
    ]) {
      errors.push(cause.invalid(`${block}.except[${at}]`, one, why));
    }
  }
  if (hasSelector) {
    errors.push(cause.forbidden(path, "may not specify both ipBlock and another peer"));
  }
}
