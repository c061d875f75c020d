import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { ipTexts } from "../../phases/validate/addresses.js";
import {
  appendInvalid,
  isUnset,
  validateItems,
  validateOneOf,
  validateSubdomain,
} from "../../phases/validate/checks.js";

const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const maxNameservers = 3;
const maxSearches = 32;

const word = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPattern = new RegExp(`^_?${word}(\\._?${word})*$`);
const searchText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?${word}(\\._?${word})*')`;

/** Appends the field errors of a pod's DNS settings. */
export function validateDns(
  { dnsPolicy, dnsConfig }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const field = `${path}.dnsConfig`;
  const isSilent = dnsPolicy === "None" && !isJsonObject(dnsConfig);
  validateOneOf(dnsPolicy, dnsPolicies, `${path}.dnsPolicy`, errors);
  if (isSilent) {
    errors.push(cause.required(field, "must provide `dnsConfig` when `dnsPolicy` is None"));
  } else {
    validateDnsConfig(mapOf(dnsConfig), dnsPolicy === "None", field, errors);
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
    errors.push(
      cause.required(
        `${path}.nameservers`,
        "must provide at least one DNS nameserver when `dnsPolicy` is None",
      ),
    );
  }
  validateTooMany(nameservers, maxNameservers, "nameservers", `${path}.nameservers`, errors);
  validateItems(nameservers, validateAddress, `${path}.nameservers`, errors);
  validateTooMany(searches, maxSearches, "search paths", `${path}.searches`, errors);
  for (const [at, one] of searches.entries()) {
    validateSearch(one.replace(/\.$/, ""), `${path}.searches[${at}]`, errors);
  }
  for (const [at, { name }] of objectsOf(config["options"]).entries()) {
    if (isUnset(name)) {
      errors.push(cause.required(`${path}.options[${at}]`, "must not be empty"));
    }
  }
}

const maxSearchLength = 253;

function validateSearch(name: string, path: string, errors: FieldErrors): void {
  if (name.length > maxSearchLength) {
    errors.push(cause.invalid(path, name, `must be no more than ${maxSearchLength} characters`));
  }
  if (!searchPattern.test(name)) {
    errors.push(cause.invalid(path, name, searchText));
  }
}

function validateTooMany(
  list: readonly string[],
  most: number,
  what: string,
  path: string,
  errors: FieldErrors,
): void {
  if (list.length > most) {
    errors.push(cause.invalid(path, list, `must not have more than ${most} ${what}`));
  }
}

/** Appends the field errors of a pod's host aliases. */
export function validateHostAlias(aliases: unknown, path: string, errors: FieldErrors): void {
  for (const [at, { ip, hostnames }] of objectsOf(aliases).entries()) {
    validateAddress(String(ip ?? ""), `${path}[${at}].ip`, errors);
    validateItems(stringsOf(hostnames), validateSubdomain, `${path}[${at}].hostnames`, errors);
  }
}

function validateAddress(address: string, path: string, errors: FieldErrors): void {
  appendInvalid(ipTexts(address), address, path, errors);
}
