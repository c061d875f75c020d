import { parseQuantity } from "@typekube/core/quantity";
import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { type Causes, isUnset, qualifiedName, required } from "./checks.js";
import { fileModeCauses, localPathCauses } from "./paths.js";

/** Fields of a pod that a container may have as a variable. */
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
/** Fields of a pod that a container may have as a file. */
const asFile = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
/** Fields that the API knows, but not as one value. */
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

/** What is wrong with a field of its pod that a container asks for as a variable. */
export function variableFieldCauses(reference: JsonObject, field: string): Causes {
  return fieldCauses(reference, asVariable, field);
}

const subscripted = /^(.+)\['(.*)'\]$/;

function fieldCauses(
  { apiVersion, fieldPath }: JsonObject,
  supported: readonly string[],
  field: string,
): Causes {
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

/** What is wrong with an amount that a container asks for as a variable or as a file, in units of a divisor. */
export function amountFieldCauses(
  { containerName, resource, divisor }: JsonObject,
  field: string,
  isFile: boolean,
): Causes {
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
  return divisorCauses(name, divisor, `${field}.divisor`);
}

const cpuDivisors = "1m and 1";
const byteDivisors = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** Refusals name the resource where the divisor is meant. */
function divisorCauses(resource: string, divisor: unknown, field: string): Causes {
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

/** What is wrong with files that hold fields of a pod. The path names no item. */
export function downwardFileCauses(item: JsonObject, field: string): Causes {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  const hasField = isJsonObject(fieldRef);
  const hasAmount = isJsonObject(resourceFieldRef);
  return [
    ...required(`${field}.path`, path),
    ...localPathCauses(`${field}.path`, String(path ?? "")),
    ...(hasField
      ? [
          ...fieldCauses(fieldRef, asFile, `${field}.fieldRef`),
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
        ? amountFieldCauses(mapOf(resourceFieldRef), `${field}.resourceFieldRef`, true)
        : [cause.required(field, "one of fieldRef and resourceFieldRef is required")]),
    ...fileModeCauses(`${field}.mode`, mode),
  ];
}

/** The same of a volume of them. */
export function downwardCauses(source: JsonObject, field: string): Causes {
  return [
    ...fileModeCauses(`${field}.defaultMode`, source["defaultMode"]),
    ...objectsOf(source["items"]).flatMap((item) => downwardFileCauses(item, field)),
  ];
}
