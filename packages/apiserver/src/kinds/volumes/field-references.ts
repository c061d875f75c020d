import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset, validateQualifiedName, validateRequired } from "../../phases/validate/checks.js";
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

/** Appends the field errors of a pod field used as an environment variable. */
export function validateVariableField(
  reference: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateField(reference, asVariable, path, errors);
}

const subscripted = /^(.+)\['(.*)'\]$/;

function validateField(
  { apiVersion, fieldPath }: JsonObject,
  supported: readonly string[],
  field: string,
  errors: FieldErrors,
): void {
  const at = `${field}.fieldPath`;
  if (isUnset(fieldPath)) {
    errors.push(cause.required(at));
    return;
  }
  const path = String(fieldPath);
  const unreadable = (why: string) => [
    cause.invalid(at, path, `error converting fieldPath: ${why}`),
  ];
  if ((apiVersion ?? "v1") !== "v1") {
    errors.push(...unreadable(`unsupported pod version: ${String(apiVersion)}`));
    return;
  }
  const [, map, key = ""] = subscripted.exec(path) ?? [];
  if (map === "metadata.labels") {
    validateQualifiedName(key, field, errors);
    return;
  }
  if (map === "metadata.annotations") {
    validateQualifiedName(key.toLowerCase(), field, errors);
    return;
  }
  if (map !== undefined) {
    errors.push(...unreadable(`field label does not support subscript: ${path}`));
    return;
  }
  const name = path === "spec.host" ? "spec.nodeName" : path;
  if (supported.includes(name)) {
    return;
  }
  if (known.includes(name)) {
    errors.push(cause.notSupported(at, path, supported));
  } else {
    errors.push(...unreadable(`field label not supported: ${path}`));
  }
}

/** Appends the field errors of a container resource used as an environment variable or file, divided by a divisor. */
export function validateAmountField(
  { containerName, resource, divisor }: JsonObject,
  path: string,
  errors: FieldErrors,
  isFile: boolean,
): void {
  const name = String(resource ?? "");
  const container: FieldErrors = [];
  if (isFile) {
    validateRequired(containerName, `${path}.containerName`, container);
  }
  if (container.length > 0) {
    errors.push(...container);
    return;
  }
  if (name === "") {
    errors.push(cause.required(`${path}.resource`));
    return;
  }
  if (!supportedAmounts.includes(name) && !/^(?:limits|requests)\.hugepages-/.test(name)) {
    errors.push(cause.notSupported(`${path}.resource`, name, supportedAmounts));
    return;
  }
  validateDivisor(name, divisor, `${path}.divisor`, errors);
}

const cpuDivisors = "1m and 1";
const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** Checks a divisor. Errors show the resource as the invalid value instead of the divisor. */
function validateDivisor(
  resource: string,
  divisor: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const [, name = ""] = resource.split(".");
  const kind = name.startsWith("hugepages-")
    ? "hugepages"
    : name === "ephemeral-storage"
      ? "local ephemeral storage"
      : name;
  const divisors = name === "cpu" ? cpuDivisors : byteDivisors;
  const isZero = (parseQuantity(divisor)?.nanos ?? 0n) === 0n;
  if (!isZero && !divisors.split(/, | and /).includes(String(divisor))) {
    errors.push(
      cause.invalid(
        path,
        resource,
        `only divisor's values ${divisors} are supported with the ${kind} resource`,
      ),
    );
  }
}

/** Appends the field errors of a downward API file. Paths don't contain the item's index. */
export function validateDownwardApiFile(
  item: JsonObject,
  field: string,
  errors: FieldErrors,
): void {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  const hasField = isJsonObject(fieldRef);
  const hasAmount = isJsonObject(resourceFieldRef);
  validateRequired(path, `${field}.path`, errors);
  validateLocalPath(`${field}.path`, errors, String(path ?? ""));
  if (hasField) {
    validateField(fieldRef, asFile, `${field}.fieldRef`, errors);
    if (hasAmount) {
      errors.push(
        cause.invalid(
          field,
          "resource",
          "fieldRef and resourceFieldRef can not be specified simultaneously",
        ),
      );
    }
  } else if (hasAmount) {
    validateAmountField(mapOf(resourceFieldRef), `${field}.resourceFieldRef`, errors, true);
  } else {
    errors.push(cause.required(field, "one of fieldRef and resourceFieldRef is required"));
  }
  validateFileMode(mode, `${field}.mode`, errors);
}

/** Appends the field errors of a downward API volume. */
export function validateDownwardApi(source: JsonObject, path: string, errors: FieldErrors): void {
  validateFileMode(source["defaultMode"], `${path}.defaultMode`, errors);
  for (const item of objectsOf(source["items"])) {
    validateDownwardApiFile(item, path, errors);
  }
}
