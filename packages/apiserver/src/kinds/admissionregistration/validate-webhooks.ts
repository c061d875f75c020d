import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { oneOf, portNumber, qualifiedName, subdomain } from "../../phases/validate/old-checks.js";
import { validateSelector } from "../fields/selectors.js";

const reviewVersions = ["v1", "v1beta1"];
const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Returns the field errors of admission webhooks. */
export function validateWebhook({ webhooks }: ApiObject): FieldErrors {
  return objectsOf(webhooks).flatMap((one, at) => oneWebhook(one, `webhooks[${at}]`));
}

function oneWebhook(one: JsonObject, field: string): FieldErrors {
  const { sideEffects, timeoutSeconds } = one;
  const isOutOfRange =
    typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30);
  return [
    ...validateName(String(one["name"] ?? ""), `${field}.name`),
    ...validateReview(
      stringsOf(one["admissionReviewVersions"]),
      `${field}.admissionReviewVersions`,
    ),
    ...objectsOf(one["rules"]).flatMap((rule, at) => validateRule(rule, `${field}.rules[${at}]`)),
    ...oneOf(`${field}.failurePolicy`, one["failurePolicy"], ["Fail", "Ignore"]),
    ...oneOf(`${field}.matchPolicy`, one["matchPolicy"], ["Equivalent", "Exact"]),
    ...(isUnset(sideEffects)
      ? [cause.required(`${field}.sideEffects`, "must specify one of None, NoneOnDryRun")]
      : oneOf(`${field}.sideEffects`, sideEffects, ["None", "NoneOnDryRun"])),
    ...(isOutOfRange
      ? [
          cause.invalid(
            `${field}.timeoutSeconds`,
            timeoutSeconds,
            "the timeout value must be between 1 and 30 seconds",
          ),
        ]
      : []),
    ...oneOf(`${field}.reinvocationPolicy`, one["reinvocationPolicy"], ["IfNeeded", "Never"]),
    ...validateSelector(one["namespaceSelector"], `${field}.namespaceSelector`),
    ...validateSelector(one["objectSelector"], `${field}.objectSelector`),
    ...validateClient(mapOf(one["clientConfig"]), `${field}.clientConfig`),
    ...objectsOf(one["matchConditions"]).flatMap(({ name, expression }, at) => [
      ...(isUnset(expression)
        ? [cause.required(`${field}.matchConditions[${at}].expression`)]
        : []),
      ...qualifiedName(`${field}.matchConditions[${at}].name`, String(name ?? "")),
    ]),
  ];
}

function validateName(name: string, field: string): FieldErrors {
  const wrong = name === "" ? [] : subdomain(field, name);
  return wrong.length > 0 || name.split(".").length >= 3
    ? wrong
    : [
        cause.invalid(
          field,
          name,
          "should be a domain with at least three segments separated by dots",
        ),
      ];
}

function validateReview(versions: readonly string[], field: string): FieldErrors {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) {
    return [cause.required(field, `must specify one of ${known}`)];
  }
  return versions.some((version) => reviewVersions.includes(version))
    ? []
    : [cause.invalid(field, versions, `must include at least one of ${known}`)];
}

/** Wildcards that must be the only entry, by list of a rule. */
const everything: Readonly<Record<string, readonly [string, string]>> = {
  operations: ["*", "operations"],
  apiGroups: ["*", "API groups"],
  apiVersions: ["*", "API versions"],
  resources: ["*/*", "resources"],
};

function validateRule(rule: JsonObject, field: string): FieldErrors {
  return [
    ...validateList(rule, field),
    ...oneOf(`${field}.scope`, rule["scope"], ["*", "Cluster", "Namespaced"]),
  ];
}

function validateList(rule: JsonObject, field: string): FieldErrors {
  return Object.entries(everything).flatMap(([key, [all, words]]) => {
    const given = stringsOf(rule[key]);
    const path = `${field}.${key}`;
    return [
      ...(given.length === 0 ? [cause.required(path)] : []),
      ...(given.length > 1 && given.includes(all)
        ? [cause.invalid(path, given, `if '${all}' is present, must not specify other ${words}`)]
        : []),
      ...given.flatMap((one, at) =>
        key === "operations"
          ? oneOf(`${path}[${at}]`, one, operations)
          : one === "" && key !== "apiGroups"
            ? [cause.required(`${path}[${at}]`)]
            : [],
      ),
      ...(key === "resources" && !given.includes("*/*")
        ? validateCoveredResources(given, path)
        : []),
    ];
  });
}

/** Returns errors for resources that another entry of the list already covers. */
function validateCoveredResources(resources: readonly string[], field: string): FieldErrors {
  const isPlain = (resource: string) => !resource.includes("/");
  return [
    ...resources.flatMap((one, at) => {
      const all = one.replace(/\/.*$/, "/*");
      return !isPlain(one) && one !== all && resources.includes(all)
        ? [cause.invalid(`${field}[${at}]`, one, `if '${all}' is present, must not specify ${one}`)]
        : [];
    }),
    ...(resources.includes("*") && resources.filter(isPlain).length > 1
      ? [
          cause.invalid(
            field,
            resources,
            "if '*' is present, must not specify other resources without subresources",
          ),
        ]
      : []),
  ];
}

function validateClient({ url, service }: JsonObject, field: string): FieldErrors {
  if ((url === undefined) === (service === undefined)) {
    return [cause.required(field, "exactly one of url or service is required")];
  }
  return url === undefined
    ? validateService(mapOf(service), `${field}.service`)
    : validateUrl(String(url), `${field}.url`);
}

const form = "desired format: https://host[/path]";

function validateUrl(url: string, field: string): FieldErrors {
  const [, scheme = "", rest = ""] = /^(?:([a-z]+):)?(.*)$/s.exec(url) ?? [];
  const [, authority = "", query, fragment] =
    /^\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(rest) ?? [];
  const [host = "", user] = authority.split("@").reverse();
  return [
    ...(scheme === "https"
      ? []
      : [cause.invalid(field, scheme, `'https' is the only allowed URL scheme; ${form}`)]),
    ...(host === "" ? [cause.invalid(field, host, `host must be specified; ${form}`)] : []),
    ...(user === undefined
      ? []
      : [cause.invalid(field, user, "user information is not permitted in the URL")]),
    ...(isUnset(fragment)
      ? []
      : [cause.invalid(field, fragment, "fragments are not permitted in the URL")]),
    ...(isUnset(query)
      ? []
      : [cause.invalid(field, query, "query parameters are not permitted in the URL")]),
  ];
}

function validateService({ name, namespace, port, path }: JsonObject, field: string): FieldErrors {
  return [
    // 1.37.1 swaps the fields: a missing name is reported at `namespace` and vice versa.
    ...(isUnset(name) ? [cause.required(`${field}.namespace`)] : []),
    ...(isUnset(namespace) ? [cause.required(`${field}.name`)] : []),
    ...(port === undefined
      ? []
      : portNumber(`${field}.port`, port).map(() =>
          cause.invalid(
            `${field}.port`,
            port,
            "port is not valid: must be between 1 and 65535, inclusive",
          ),
        )),
    ...(path === undefined || String(path).startsWith("/")
      ? []
      : [cause.invalid(`${field}.path`, path, "must start with a '/'")]),
  ];
}
