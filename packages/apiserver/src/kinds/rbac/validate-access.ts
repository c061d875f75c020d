import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/metadata.js";
import { oneOf, required, subdomain } from "../../phases/validate/old-checks.js";
import { validateSelector } from "../fields/selectors.js";

const group = "rbac.authorization.k8s.io";

/** Returns the field errors of a role's rules; only a ClusterRole may have non-resource URLs. */
export function validateRole(
  { rules, aggregationRule }: ApiObject,
  isClusterWide: boolean,
): FieldErrors {
  const all = objectsOf(rules);
  const selectors = objectsOf(mapOf(aggregationRule)["clusterRoleSelectors"]);
  const isEmptyAggregation = isJsonObject(aggregationRule) && selectors.length === 0;
  return [
    ...(isClusterWide && isEmptyAggregation
      ? [
          cause.required(
            "aggregationRule.clusterRoleSelectors",
            "at least one clusterRoleSelector required if aggregationRule is non-nil",
          ),
        ]
      : []),
    ...(isClusterWide ? selectors : []).flatMap((selector, at) => {
      const field = `aggregationRule.clusterRoleSelectors[${at}]`;
      const wrong = validateSelector(selector, field);
      return wrong.length === 0
        ? []
        : [...wrong, cause.invalid(field, null, "invalid label selector.")];
    }),
    ...all.flatMap((rule, at) => validateRule(rule, `rules[${at}]`, isClusterWide)),
    // A real server checks this elsewhere, after everything else.
    ...all.flatMap(({ verbs }, at) =>
      stringsOf(verbs).length > 0 ? [] : [cause.required(`rules[${at}].verbs`)],
    ),
  ];
}

function validateRule(rule: JsonObject, field: string, isClusterWide: boolean): FieldErrors {
  const { apiGroups, resources, nonResourceURLs } = rule;
  const has = (list: unknown) => stringsOf(list).length > 0;
  if (has(nonResourceURLs)) {
    const why = isClusterWide
      ? "rules cannot apply to both regular resources and non-resource URLs"
      : "namespaced rules cannot apply to non-resource URLs";
    const isWrong =
      !isClusterWide || has(apiGroups) || has(resources) || has(rule["resourceNames"]);
    return isWrong ? [cause.invalid(`${field}.nonResourceURLs`, nonResourceURLs, why)] : [];
  }
  return [
    ...(has(apiGroups)
      ? []
      : [
          cause.required(`${field}.apiGroups`, "resource rules must supply at least one api group"),
        ]),
    ...(has(resources)
      ? []
      : [cause.required(`${field}.resources`, "resource rules must supply at least one resource")]),
  ];
}

/** Returns the field errors of a binding; a ClusterRoleBinding can't refer to a Role. */
export function validateBinding(binding: ApiObject, isClusterWide: boolean): FieldErrors {
  const { apiGroup, kind, name } = mapOf(binding["roleRef"]);
  const subjects = objectsOf(binding["subjects"]);
  const kinds = isClusterWide ? ["ClusterRole"] : ["Role", "ClusterRole"];
  return [
    ...oneOf("roleRef.apiGroup", apiGroup, [group]),
    ...(kinds.includes(String(kind))
      ? []
      : [cause.notSupported("roleRef.kind", kind ?? "", kinds)]),
    ...subjects.flatMap((one, at) => validateSubject(one, `subjects[${at}]`, isClusterWide)),
    // A real server checks this elsewhere, after everything else.
    ...subjects.flatMap(({ name: own }, at) => required(`subjects[${at}].name`, own)),
    ...(isUnset(name)
      ? [cause.required("roleRef.name")]
      : pathSegmentTexts(String(name)).map((why) => cause.invalid("roleRef.name", name, why))),
  ];
}

function validateSubject(subject: JsonObject, field: string, isClusterWide: boolean): FieldErrors {
  const { kind, name, namespace, apiGroup } = subject;
  switch (kind) {
    case "ServiceAccount":
      return [
        ...(isUnset(name) ? [] : subdomain(`${field}.name`, name)),
        ...oneOf(`${field}.apiGroup`, apiGroup, [""]),
        ...(isClusterWide ? required(`${field}.namespace`, namespace) : []),
      ];
    case "Group":
    case "User":
      return oneOf(`${field}.apiGroup`, apiGroup, [group]);
    default:
      return [cause.notSupported(`${field}.kind`, kind ?? "", ["ServiceAccount", "User", "Group"])];
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

/** Returns errors for missing data of well-known Secret types. */
export function validateSecretType({ type, data, metadata }: ApiObject): FieldErrors {
  const given = isJsonObject(data) ? data : {};
  if (type === "kubernetes.io/service-account-token") {
    return required(
      `metadata.annotations[${accountAnnotation}]`,
      metadata.annotations?.[accountAnnotation],
    );
  }
  if (type === "kubernetes.io/basic-auth") {
    const names = ["username", "password"];
    return names.some((name) => Object.hasOwn(given, name))
      ? []
      : names.map((name) => cause.required(`data[${name}]`));
  }
  return (keysOfTypes[String(type)] ?? []).flatMap((key) =>
    Object.hasOwn(given, key) ? validateJson(key, given[key]) : [cause.required(`data[${key}]`)],
  );
}

/**
 * Checks the JSON of a Docker config. The error must not reveal the Secret's content, except for the character at which
 * parsing failed.
 */
function validateJson(key: string, value: unknown): FieldErrors {
  if (!key.startsWith(".docker")) {
    return [];
  }
  const text = Buffer.from(String(value), "base64").toString("utf8");
  try {
    JSON.parse(text);
    return [];
  } catch {
    const why = `invalid character '${text.trim()[0] ?? ""}' looking for beginning of value`;
    const shown = /^\s*[[{"0-9tfn-]/.test(text) ? "unexpected end of JSON input" : why;
    return [cause.invalid(`data[${key}]`, "<secret contents redacted>", shown)];
  }
}
