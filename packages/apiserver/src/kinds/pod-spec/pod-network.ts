import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { ipTexts } from "../../phases/validate/addresses.js";
import { isUnset } from "../../phases/validate/checks.js";
import { oneOf, subdomain } from "../../phases/validate/old-checks.js";

const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const maxNameservers = 3;
const maxSearches = 32;

const word = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPattern = new RegExp(`^_?${word}(\\._?${word})*$`);
const searchText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?${word}(\\._?${word})*')`;

/** Returns the field errors of a pod's DNS settings. */
export function validateDns({ dnsPolicy, dnsConfig }: JsonObject, path: string): FieldErrors {
  const field = `${path}.dnsConfig`;
  const isSilent = dnsPolicy === "None" && !isJsonObject(dnsConfig);
  return [
    ...oneOf(`${path}.dnsPolicy`, dnsPolicy, dnsPolicies),
    ...(isSilent
      ? [cause.required(field, "must provide `dnsConfig` when `dnsPolicy` is None")]
      : validateDnsConfig(mapOf(dnsConfig), dnsPolicy === "None", field)),
  ];
}

function validateDnsConfig(config: JsonObject, isAlone: boolean, field: string): FieldErrors {
  const nameservers = stringsOf(config["nameservers"]);
  const searches = stringsOf(config["searches"]);
  return [
    ...(isAlone && nameservers.length === 0
      ? [
          cause.required(
            `${field}.nameservers`,
            "must provide at least one DNS nameserver when `dnsPolicy` is None",
          ),
        ]
      : []),
    ...tooMany(nameservers, maxNameservers, "nameservers", `${field}.nameservers`),
    ...nameservers.flatMap((one, at) => validateAddress(one, `${field}.nameservers[${at}]`)),
    ...tooMany(searches, maxSearches, "search paths", `${field}.searches`),
    ...searches.flatMap((one, at) =>
      validateSearch(one.replace(/\.$/, ""), `${field}.searches[${at}]`),
    ),
    ...objectsOf(config["options"]).flatMap(({ name }, at) =>
      isUnset(name) ? [cause.required(`${field}.options[${at}]`, "must not be empty")] : [],
    ),
  ];
}

const maxSearchLength = 253;

function validateSearch(name: string, field: string): FieldErrors {
  return [
    ...(name.length > maxSearchLength
      ? [cause.invalid(field, name, `must be no more than ${maxSearchLength} characters`)]
      : []),
    ...(searchPattern.test(name) ? [] : [cause.invalid(field, name, searchText)]),
  ];
}

function tooMany(list: readonly string[], most: number, what: string, field: string): FieldErrors {
  return list.length > most
    ? [cause.invalid(field, list, `must not have more than ${most} ${what}`)]
    : [];
}

/** Returns the field errors of a pod's host aliases. */
export function validateHostAlias(aliases: unknown, field: string): FieldErrors {
  return objectsOf(aliases).flatMap(({ ip, hostnames }, at) => [
    ...validateAddress(String(ip ?? ""), `${field}[${at}].ip`),
    ...stringsOf(hostnames).flatMap((name, nameAt) =>
      subdomain(`${field}[${at}].hostnames[${nameAt}]`, name),
    ),
  ]);
}

function validateAddress(address: string, field: string): FieldErrors {
  return ipTexts(address).map((why) => cause.invalid(field, address, why));
}
