import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  appendInvalid,
  isUnset,
  validateOneOf,
  validateOptional,
  validateRequired,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/name-texts.js";
import { validateSelector } from "../fields/selectors.js";

const group = "rbac.authorization.k8s.io";

/** Appends the field errors of a role's rules; only a ClusterRole may have non-resource URLs. */
export function validateRole(
  { rules, aggregationRule }: ApiObject,
  isClusterWide: boolean,
  errors: FieldErrors,
): void {
  const all = objectsOf(rules);
  const selectors = objectsOf(mapOf(aggregationRule)["clusterRoleSelectors"]);
  const isEmptyAggregation = isJsonObject(aggregationRule) && selectors.length === 0;
  if (isClusterWide && isEmptyAggregation) {
    errors.push(
      cause.required(
        "aggregationRule.clusterRoleSelectors",
        "at least one clusterRoleSelector required if aggregationRule is non-nil",
      ),
    );
  }
  for (const [at, selector] of (isClusterWide ? selectors : []).entries()) {
    const field = `aggregationRule.clusterRoleSelectors[${at}]`;
    const wrong: FieldErrors = [];
    validateSelector(selector, field, wrong);
    if (wrong.length !== 0) {
      errors.push(...wrong);
      errors.push(cause.invalid(field, null, "invalid label selector."));
    }
  }
  for (const [at, rule] of all.entries()) {
    validateRule(rule, `rules[${at}]`, errors, isClusterWide);
  }
  for (const [at, { verbs }] of all.entries()) {
    if (stringsOf(verbs).length === 0) {
      errors.push(cause.required(`rules[${at}].verbs`));
    }
  }
}

function validateRule(
  rule: JsonObject,
  path: string,
  errors: FieldErrors,
  isClusterWide: boolean,
): void {
  const { apiGroups, resources, nonResourceURLs } = rule;
  const has = (list: unknown) => stringsOf(list).length > 0;
  if (has(nonResourceURLs)) {
    const why = isClusterWide
      ? "rules cannot apply to both regular resources and non-resource URLs"
      : "namespaced rules cannot apply to non-resource URLs";
    const isWrong =
      !isClusterWide || has(apiGroups) || has(resources) || has(rule["resourceNames"]);
    if (isWrong) {
      errors.push(cause.invalid(`${path}.nonResourceURLs`, nonResourceURLs, why));
    }
    return;
  }
  if (!has(apiGroups)) {
    errors.push(
      cause.required(`${path}.apiGroups`, "resource rules must supply at least one api group"),
    );
  }
  if (!has(resources)) {
    errors.push(
      cause.required(`${path}.resources`, "resource rules must supply at least one resource"),
    );
  }
}

/** Appends the field errors of a binding; a ClusterRoleBinding can't refer to a Role. */
export function validateBinding(
  binding: ApiObject,
  isClusterWide: boolean,
  errors: FieldErrors,
): void {
  const { apiGroup, kind, name } = mapOf(binding["roleRef"]);
  const subjects = objectsOf(binding["subjects"]);
  const kinds = isClusterWide ? ["ClusterRole"] : ["Role", "ClusterRole"];
  validateOneOf(apiGroup, [group], "roleRef.apiGroup", errors);
  if (!kinds.includes(String(kind))) {
    errors.push(cause.notSupported("roleRef.kind", kind ?? "", kinds));
  }
  for (const [at, one] of subjects.entries()) {
    validateSubject(one, `subjects[${at}]`, errors, isClusterWide);
  }
  for (const [at, { name: own }] of subjects.entries()) {
    validateRequired(own, `subjects[${at}].name`, errors);
  }
  if (isUnset(name)) {
    errors.push(cause.required("roleRef.name"));
  } else {
    appendInvalid(pathSegmentTexts(String(name)), name, "roleRef.name", errors);
  }
}

function validateSubject(
  subject: JsonObject,
  path: string,
  errors: FieldErrors,
  isClusterWide: boolean,
): void {
  const { kind, name, namespace, apiGroup } = subject;
  switch (kind) {
    case "ServiceAccount":
      validateOptional(name, validateSubdomain, `${path}.name`, errors);
      validateOneOf(apiGroup, [""], `${path}.apiGroup`, errors);
      if (isClusterWide) {
        validateRequired(namespace, `${path}.namespace`, errors);
      }
      break;
    case "Group":
    case "User":
      validateOneOf(apiGroup, [group], `${path}.apiGroup`, errors);
      break;
    default:
      errors.push(
        cause.notSupported(`${path}.kind`, kind ?? "", ["ServiceAccount", "User", "Group"]),
      );
  }
}

/** Required keys of a Secret by type. */
const keysOfTypes: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};
const accountAnnotation = "kubernetes.io/service-account.name";

/** Appends errors for missing data of well-known Secret types. */
export function validateSecretType({ type, data, metadata }: ApiObject, errors: FieldErrors): void {
  const given = isJsonObject(data) ? data : {};
  if (type === "kubernetes.io/service-account-token") {
    validateRequired(
      metadata.annotations?.[accountAnnotation],
      `metadata.annotations[${accountAnnotation}]`,
      errors,
    );
    return;
  }
  if (type === "kubernetes.io/basic-auth") {
    const names = ["username", "password"];
    if (!names.some((name) => Object.hasOwn(given, name))) {
      for (const name of names) {
        errors.push(cause.required(`data[${name}]`));
      }
    }
    return;
  }
  for (const key of keysOfTypes[String(type)] ?? []) {
    if (Object.hasOwn(given, key)) {
      validateJson(key, given[key], errors);
    } else {
      errors.push(cause.required(`data[${key}]`));
    }
  }
}

/**
 * Checks the JSON of a Docker config. The error must not reveal the Secret's content, except for the character at which
 * parsing failed.
 */
function validateJson(key: string, value: unknown, errors: FieldErrors): void {
  if (!key.startsWith(".docker")) {
    return;
  }
  const text = Buffer.from(String(value), "base64").toString("utf8");
  try {
    JSON.parse(text);
    return;
  } catch {
    const why = `invalid character '${text.trim()[0] ?? ""}' looking for beginning of value`;
    const shown = /^\s*[[{"0-9tfn-]/.test(text) ? "unexpected end of JSON input" : why;
    errors.push(cause.invalid(`data[${key}]`, "<secret contents redacted>", shown));
    return;
  }
}
