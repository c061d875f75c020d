import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { qualifiedName, required } from "../../phases/validate/old-checks.js";
import { validateFileMode, validateLocalPath } from "../fields/paths.js";

/** Pod fields available as environment variables. */
const asVariable = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
/** Pod fields available as files. */
const asFile = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
/** Field paths known to the API, whether or not they are available here. */
const known = [
  ...asVariable,
  "metadata.annotations",
  "metadata.labels",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
];
const supportedAmounts = ["limits", "requests"].flatMap((list) =>
  ["cpu", "ephemeral-storage", "memory"].map((resource) => `${list}.${resource}`),
);

/** Returns the field errors of a pod field used as an environment variable. */
export function validateVariableField(reference: JsonObject, field: string): FieldErrors {
  return validateField(reference, asVariable, field);
}

const subscripted = /^(.+)\['(.*)'\]$/;

function validateField(
  { apiVersion, fieldPath }: JsonObject,
  supported: readonly string[],
  field: string,
): FieldErrors {
  const at = `${field}.fieldPath`;
  if (isUnset(fieldPath)) {
    return [cause.required(at)];
  }
  const path = String(fieldPath);
  const unreadable = (why: string) => [
    cause.invalid(at, path, `error converting fieldPath: ${why}`),
  ];
  if ((apiVersion ?? "v1") !== "v1") {
    return unreadable(`unsupported pod version: ${String(apiVersion)}`);
  }
  const [, map, key = ""] = subscripted.exec(path) ?? [];
  if (map === "metadata.labels") {
    return qualifiedName(field, key);
  }
  if (map === "metadata.annotations") {
    return qualifiedName(field, key.toLowerCase());
  }
  if (map !== undefined) {
    return unreadable(`field label does not support subscript: ${path}`);
  }
  const name = path === "spec.host" ? "spec.nodeName" : path;
  if (supported.includes(name)) {
    return [];
  }
  return known.includes(name)
    ? [cause.notSupported(at, path, supported)]
    : unreadable(`field label not supported: ${path}`);
}

/** Returns the field errors of a container resource used as an environment variable or file, divided by a divisor. */
export function validateAmountField(
  { containerName, resource, divisor }: JsonObject,
  field: string,
  isFile: boolean,
): FieldErrors {
  const name = String(resource ?? "");
  const container = isFile ? required(`${field}.containerName`, containerName) : [];
  if (container.length > 0) {
    return container;
  }
  if (name === "") {
    return [cause.required(`${field}.resource`)];
  }
  if (!supportedAmounts.includes(name) && !/^(?:limits|requests)\.hugepages-/.test(name)) {
    return [cause.notSupported(`${field}.resource`, name, supportedAmounts)];
  }
  return validateDivisor(name, divisor, `${field}.divisor`);
}

const cpuDivisors = "1m and 1";
const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** Checks a divisor. Errors show the resource as the invalid value instead of the divisor. */
function validateDivisor(resource: string, divisor: unknown, field: string): FieldErrors {
  const [, name = ""] = resource.split(".");
  const kind = name.startsWith("hugepages-")
    ? "hugepages"
    : name === "ephemeral-storage"
      ? "local ephemeral storage"
      : name;
  const divisors = name === "cpu" ? cpuDivisors : byteDivisors;
  const isZero = (parseQuantity(divisor)?.nanos ?? 0n) === 0n;
  return isZero || divisors.split(/, | and /).includes(String(divisor))
    ? []
    : [
        cause.invalid(
          field,
          resource,
          `only divisor's values ${divisors} are supported with the ${kind} resource`,
        ),
      ];
}

/** Returns the field errors of a downward API file. Paths don't contain the item's index. */
export function validateDownwardApiFile(item: JsonObject, field: string): FieldErrors {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  const hasField = isJsonObject(fieldRef);
  const hasAmount = isJsonObject(resourceFieldRef);
  return [
    ...required(`${field}.path`, path),
    ...validateLocalPath(`${field}.path`, String(path ?? "")),
    ...(hasField
      ? [
          ...validateField(fieldRef, asFile, `${field}.fieldRef`),
          ...(hasAmount
            ? [
                cause.invalid(
                  field,
                  "resource",
                  "fieldRef and resourceFieldRef can not be specified simultaneously",
                ),
              ]
            : []),
        ]
      : hasAmount
        ? validateAmountField(mapOf(resourceFieldRef), `${field}.resourceFieldRef`, true)
        : [cause.required(field, "one of fieldRef and resourceFieldRef is required")]),
    ...validateFileMode(`${field}.mode`, mode),
  ];
}

/** Returns the field errors of a downward API volume. */
export function validateDownwardApi(source: JsonObject, field: string): FieldErrors {
  return [
    ...validateFileMode(`${field}.defaultMode`, source["defaultMode"]),
    ...objectsOf(source["items"]).flatMap((item) => validateDownwardApiFile(item, field)),
  ];
}
