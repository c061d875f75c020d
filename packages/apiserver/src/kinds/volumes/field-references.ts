import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
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
  path: string,
  errors: FieldErrors,
): void {
  const place = `${path}.fieldPath`;
  if (isUnset(fieldPath)) {
    errors.push(cause.required(place));
    return;
  }
  const text = String(fieldPath);
  const [, map, key = ""] = subscripted.exec(text) ?? [];
  const name = text === "spec.host" ? "spec.nodeName" : text;
  const unreadable = (why: string) =>
    errors.push(cause.invalid(place, text, `error converting fieldPath: ${why}`));
  if ((apiVersion ?? "v1") !== "v1") {
    unreadable(`unsupported pod version: ${String(apiVersion)}`);
  } else if (map === "metadata.labels") {
    validateQualifiedName(key, path, errors);
  } else if (map === "metadata.annotations") {
    validateQualifiedName(key.toLowerCase(), path, errors);
  } else if (map !== undefined) {
    unreadable(`field label does not support subscript: ${text}`);
  } else if (!known.includes(name)) {
    unreadable(`field label not supported: ${text}`);
  } else if (!supported.includes(name)) {
    errors.push(cause.notSupported(place, text, supported));
  }
}

/** Appends the field errors of a container resource used as an environment variable or file. */
export function validateResourceField(
  { resource, divisor }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const name = String(resource ?? "");
  if (name === "") {
    errors.push(cause.required(`${path}.resource`));
  } else if (supportedAmounts.includes(name) || /^(?:limits|requests)\.hugepages-/.test(name)) {
    validateDivisor(name, divisor, `${path}.divisor`, errors);
  } else {
    errors.push(cause.notSupported(`${path}.resource`, name, supportedAmounts));
  }
}

const cpuDivisors = "1m and 1";
const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** Names of resources in errors, if they differ. */
const resourceKinds: Readonly<Record<string, string>> = {
  "ephemeral-storage": "local ephemeral storage",
};

/** Checks a divisor. Errors show the resource as the invalid value instead of the divisor. */
function validateDivisor(
  resource: string,
  divisor: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const [, name = ""] = resource.split(".");
  const kind = name.startsWith("hugepages-") ? "hugepages" : (resourceKinds[name] ?? name);
  const divisors = name === "cpu" ? cpuDivisors : byteDivisors;
  const isZero = (parseQuantity(divisor)?.nanos ?? 0n) === 0n;
  if (!isZero && !divisors.split(/, | and /).includes(String(divisor))) {
    const why = `only divisor's values ${divisors} are supported with the ${kind} resource`;
    errors.push(cause.invalid(path, resource, why));
  }
}

/** Appends the field errors of a downward API file. Paths don't contain the item's index. */
export function validateDownwardApiFile(
  { path: file, fieldRef, resourceFieldRef, mode }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const hasResource = isJsonObject(resourceFieldRef);
  validateRequired(file, `${path}.path`, errors);
  validateLocalPath(file, `${path}.path`, errors);
  if (isJsonObject(fieldRef)) {
    validateField(fieldRef, asFile, `${path}.fieldRef`, errors);
    if (hasResource) {
      const why = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(cause.invalid(path, "resource", why));
    }
  } else if (!hasResource) {
    errors.push(cause.required(path, "one of fieldRef and resourceFieldRef is required"));
  } else if (isUnset(resourceFieldRef["containerName"])) {
    errors.push(cause.required(`${path}.resourceFieldRef.containerName`));
  } else {
    validateResourceField(resourceFieldRef, `${path}.resourceFieldRef`, errors);
  }
  validateFileMode(mode, `${path}.mode`, errors);
}

/** Appends the field errors of a downward API volume. */
export function validateDownwardApi(source: JsonObject, path: string, errors: FieldErrors): void {
  validateFileMode(source["defaultMode"], `${path}.defaultMode`, errors);
  for (const item of objectsOf(source["items"])) {
    validateDownwardApiFile(item, path, errors);
  }
}
