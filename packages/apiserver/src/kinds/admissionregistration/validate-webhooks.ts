import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateItems,
  validateOneOf,
  validatePort,
  validateQualifiedName,
  validateRequired,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { validateSelector } from "../fields/selectors.js";

const reviewVersions = ["v1", "v1beta1"];
const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Appends the field errors of admission webhooks. */
export function validateWebhook({ webhooks }: ApiObject, errors: FieldErrors): void {
  validateItems(objectsOf(webhooks), validateOneWebhook, "webhooks", errors);
}

function validateOneWebhook(one: JsonObject, path: string, errors: FieldErrors): void {
  const { sideEffects, timeoutSeconds } = one;
  const isOutOfRange =
    typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30);
  validateName(String(one["name"] ?? ""), `${path}.name`, errors);
  validateReview(
    stringsOf(one["admissionReviewVersions"]),
    `${path}.admissionReviewVersions`,
    errors,
  );
  validateItems(objectsOf(one["rules"]), validateRule, `${path}.rules`, errors);
  validateOneOf(one["failurePolicy"], ["Fail", "Ignore"], `${path}.failurePolicy`, errors);
  validateOneOf(one["matchPolicy"], ["Equivalent", "Exact"], `${path}.matchPolicy`, errors);
  if (isUnset(sideEffects)) {
    errors.push(cause.required(`${path}.sideEffects`, "must specify one of None, NoneOnDryRun"));
  } else {
    validateOneOf(sideEffects, ["None", "NoneOnDryRun"], `${path}.sideEffects`, errors);
  }
  if (isOutOfRange) {
    errors.push(
      cause.invalid(
        `${path}.timeoutSeconds`,
        timeoutSeconds,
        "the timeout value must be between 1 and 30 seconds",
      ),
    );
  }
  validateOneOf(
    one["reinvocationPolicy"],
    ["IfNeeded", "Never"],
    `${path}.reinvocationPolicy`,
    errors,
  );
  validateSelector(one["namespaceSelector"], `${path}.namespaceSelector`, errors);
  validateSelector(one["objectSelector"], `${path}.objectSelector`, errors);
  validateClient(mapOf(one["clientConfig"]), `${path}.clientConfig`, errors);
  for (const [at, { name, expression }] of objectsOf(one["matchConditions"]).entries()) {
    validateRequired(expression, `${path}.matchConditions[${at}].expression`, errors);
    validateQualifiedName(name, `${path}.matchConditions[${at}].name`, errors);
  }
}

function validateName(name: string, path: string, errors: FieldErrors): void {
  const wrong: FieldErrors = [];
  if (name !== "") {
    validateSubdomain(name, path, wrong);
  }
  if (wrong.length > 0 || name.split(".").length >= 3) {
    errors.push(...wrong);
  } else {
    errors.push(
      cause.invalid(
        path,
        name,
        "should be a domain with at least three segments separated by dots",
      ),
    );
  }
}

function validateReview(versions: readonly string[], path: string, errors: FieldErrors): void {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) {
    errors.push(cause.required(path, `must specify one of ${known}`));
    return;
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(cause.invalid(path, versions, `must include at least one of ${known}`));
  }
}

/** Wildcards that must be the only entry, by list of a rule. */
const everything: Readonly<Record<string, readonly [string, string]>> = {
  operations: ["*", "operations"],
  apiGroups: ["*", "API groups"],
  apiVersions: ["*", "API versions"],
  resources: ["*/*", "resources"],
};

function validateRule(rule: JsonObject, path: string, errors: FieldErrors): void {
  validateList(rule, path, errors);
  validateOneOf(rule["scope"], ["*", "Cluster", "Namespaced"], `${path}.scope`, errors);
}

function validateList(rule: JsonObject, field: string, errors: FieldErrors): void {
  for (const [key, [all, words]] of Object.entries(everything)) {
    const given = stringsOf(rule[key]);
    const path = `${field}.${key}`;
    if (given.length === 0) {
      errors.push(cause.required(path));
    }
    if (given.length > 1 && given.includes(all)) {
      errors.push(
        cause.invalid(path, given, `if '${all}' is present, must not specify other ${words}`),
      );
    }
    for (const [at, one] of given.entries()) {
      if (key === "operations") {
        validateOneOf(one, operations, `${path}[${at}]`, errors);
      } else if (one === "" && key !== "apiGroups") {
        errors.push(cause.required(`${path}[${at}]`));
      }
    }
    if (key === "resources" && !given.includes("*/*")) {
      validateCoveredResources(given, path, errors);
    }
  }
}

/** Appends errors for resources that another entry of the list already covers. */
function validateCoveredResources(
  resources: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  const isPlain = (resource: string) => !resource.includes("/");
  for (const [at, one] of resources.entries()) {
    const all = one.replace(/\/.*$/, "/*");
    if (!isPlain(one) && one !== all && resources.includes(all)) {
      errors.push(
        cause.invalid(`${path}[${at}]`, one, `if '${all}' is present, must not specify ${one}`),
      );
    }
  }
  if (resources.includes("*") && resources.filter(isPlain).length > 1) {
    errors.push(
      cause.invalid(
        path,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
    );
  }
}

function validateClient({ url, service }: JsonObject, path: string, errors: FieldErrors): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(cause.required(path, "exactly one of url or service is required"));
    return;
  }
  if (url === undefined) {
    validateService(mapOf(service), `${path}.service`, errors);
  } else {
    validateUrl(String(url), `${path}.url`, errors);
  }
}

const form = "desired format: https://host[/path]";

function validateUrl(url: string, path: string, errors: FieldErrors): void {
  const [, scheme = "", rest = ""] = /^(?:([a-z]+):)?(.*)$/s.exec(url) ?? [];
  const [, authority = "", query, fragment] =
    /^\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(rest) ?? [];
  const [host = "", user] = authority.split("@").reverse();
  if (scheme !== "https") {
    errors.push(cause.invalid(path, scheme, `'https' is the only allowed URL scheme; ${form}`));
  }
  if (host === "") {
    errors.push(cause.invalid(path, host, `host must be specified; ${form}`));
  }
  if (user !== undefined) {
    errors.push(cause.invalid(path, user, "user information is not permitted in the URL"));
  }
  if (!isUnset(fragment)) {
    errors.push(cause.invalid(path, fragment, "fragments are not permitted in the URL"));
  }
  if (!isUnset(query)) {
    errors.push(cause.invalid(path, query, "query parameters are not permitted in the URL"));
  }
}

function validateService(
  { name, namespace, port, path }: JsonObject,
  field: string,
  errors: FieldErrors,
): void {
  validateRequired(name, `${field}.namespace`, errors);
  validateRequired(namespace, `${field}.name`, errors);
  if (port !== undefined) {
    errors.push(
      ...collectErrors((found) => validatePort(port, `${field}.port`, found)).map(() =>
        cause.invalid(
          `${field}.port`,
          port,
          "port is not valid: must be between 1 and 65535, inclusive",
        ),
      ),
    );
  }
  if (path !== undefined && !String(path).startsWith("/")) {
    errors.push(cause.invalid(`${field}.path`, path, "must start with a '/'"));
  }
}
