import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import {
  appendInvalid,
  isUnset,
  validateItems,
  validateSubdomain,
} from "../../../phases/validate/checks.js";
import { subdomainTexts } from "../../../phases/validate/name-texts.js";
import { validateFields } from "../../fields/validate-fields.js";
import { validateBackend } from "./validate-backend.js";

/** Appends the field errors of an Ingress. */
export function validateIngress(ingress: ApiObject, errors: FieldErrors): void {
  const spec = specOf(ingress);
  const { defaultBackend } = spec;
  const rules = objectsOf(spec["rules"]);
  if (rules.length === 0 && !isJsonObject(defaultBackend)) {
    const why = "either `defaultBackend` or `rules` must be specified";
    errors.push(cause.invalid("spec", null, why));
  }
  if (isJsonObject(defaultBackend)) {
    validateBackend(defaultBackend, "spec.defaultBackend", errors);
  }
  validateItems(rules, validateRule, "spec.rules", errors);
  validateItems(objectsOf(spec["tls"]), validateTls, "spec.tls", errors);
  validateFields("networking/v1.IngressSpec", spec, "spec", errors);
}

function validateTls(tls: JsonObject, path: string, errors: FieldErrors): void {
  validateItems(stringsOf(tls["hosts"]), validateHostName, `${path}.hosts`, errors);
  validateFields("networking/v1.IngressTLS", tls, path, errors);
}

function validateRule({ host, http }: JsonObject, path: string, errors: FieldErrors): void {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(String(host))) {
    const why = "must be a DNS name, not an IP address";
    errors.push(cause.invalid(`${path}.host`, host, why));
  } else if (!isUnset(host)) {
    validateHostName(String(host), `${path}.host`, errors);
  }
  if (isJsonObject(http)) {
    const paths = objectsOf(http["paths"]);
    if (paths.length === 0) {
      errors.push(cause.required(`${path}.http.paths`));
    }
    validateItems(paths, validateHttpPath, `${path}.http.paths`, errors);
  }
}

const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Checks a host name or wildcard host. */
function validateHostName(host: string, path: string, errors: FieldErrors): void {
  if (!host.includes("*")) {
    validateSubdomain(host, path, errors);
  } else if (!host.startsWith("*.") || subdomainTexts(host.slice(2)).length > 0) {
    errors.push(cause.invalid(path, host, wildcardText));
  }
}

/** Sequences that a path must not contain. */
const badParts = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds = ["/..", "/."];

function validateHttpPath(
  { path: given, pathType, backend }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const text = String(given ?? "");
  if (pathType === undefined || pathType === null) {
    errors.push(cause.required(`${path}.pathType`, "pathType must be specified"));
    return;
  }
  if (pathType === "Exact" || pathType === "Prefix") {
    appendInvalid(pathTexts(text), text, `${path}.path`, errors);
  } else if (pathType !== "ImplementationSpecific") {
    const types = ["Exact", "ImplementationSpecific", "Prefix"];
    errors.push(cause.notSupported(`${path}.pathType`, pathType, types));
  } else if (text !== "" && !text.startsWith("/")) {
    errors.push(cause.invalid(`${path}.path`, text, "must be an absolute path"));
  }
  validateBackend(mapOf(backend), `${path}.backend`, errors);
}

/** Returns the problems of a path that is matched by its elements. */
function pathTexts(path: string): string[] {
  return [
    ...(path.startsWith("/") ? [] : ["must be an absolute path"]),
    ...badParts.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...badEnds.filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}
