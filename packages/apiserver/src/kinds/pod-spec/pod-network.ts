import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset, validateItems } from "../../phases/validate/checks.js";
import { fieldValidator, validateFields } from "../fields/validate-fields.js";

const maxNameservers = 3;
const maxSearches = 32;

const word = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPattern = new RegExp(`^_?${word}(\\._?${word})*$`);
const searchText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?${word}(\\._?${word})*')`;

/** Appends the field errors of a pod's DNS settings. */
export function validateDns(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { dnsPolicy, dnsConfig } = spec;
  const isAlone = dnsPolicy === "None";
  fieldValidator("core/v1.PodSpec", spec, path, errors)("dnsPolicy");
  if (isAlone && !isJsonObject(dnsConfig)) {
    const why = "must provide `dnsConfig` when `dnsPolicy` is None";
    errors.push(cause.required(`${path}.dnsConfig`, why));
  } else {
    validateDnsConfig(mapOf(dnsConfig), isAlone, `${path}.dnsConfig`, errors);
  }
}

function validateDnsConfig(
  config: JsonObject,
  isAlone: boolean,
  path: string,
  errors: FieldErrors,
): void {
  const nameservers = stringsOf(config["nameservers"]);
  const searches = stringsOf(config["searches"]);
  if (isAlone && nameservers.length === 0) {
    const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    errors.push(cause.required(`${path}.nameservers`, why));
  }
  if (nameservers.length > maxNameservers) {
    const why = `must not have more than ${maxNameservers} nameservers`;
    errors.push(cause.invalid(`${path}.nameservers`, nameservers, why));
  }
  validateFields("core/v1.PodDNSConfig", config, path, errors);
  if (searches.length > maxSearches) {
    const why = `must not have more than ${maxSearches} search paths`;
    errors.push(cause.invalid(`${path}.searches`, searches, why));
  }
  validateItems(searches, validateSearch, `${path}.searches`, errors);
  for (const [at, { name }] of objectsOf(config["options"]).entries()) {
    if (isUnset(name)) {
      errors.push(cause.required(`${path}.options[${at}]`, "must not be empty"));
    }
  }
}

const maxSearchLength = 253;

function validateSearch(search: string, path: string, errors: FieldErrors): void {
  const name = search.replace(/\.$/, "");
  if (name.length > maxSearchLength) {
    errors.push(cause.invalid(path, name, `must be no more than ${maxSearchLength} characters`));
  }
  if (!searchPattern.test(name)) {
    errors.push(cause.invalid(path, name, searchText));
  }
}
