import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { containerLists, placedContainers } from "./placed-containers.js";

/** Security context fields of pods that Windows does not support. */
const podFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
];
/** Security context fields of containers that Windows does not support. */
const containerFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** Appends errors for fields that the pod's operating system does not support. */
export function validateOsFields(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { name } = mapOf(spec["os"]);
  if (name === "linux") {
    validateLinux(spec, path, errors);
  } else if (name === "windows") {
    validateWindows(spec, path, errors);
  }
}

function validateLinux(spec: JsonObject, path: string, errors: FieldErrors): void {
  const containers = placedContainers(spec, path, containerLists);
  for (const { container, path: place } of [{ container: spec, path }, ...containers]) {
    if (isSet(securityOf(container)["windowsOptions"])) {
      const why = "windows options cannot be set for a linux pod";
      errors.push(cause.forbidden(`${place}.securityContext.windowsOptions`, why));
    }
  }
}

function validateWindows(spec: JsonObject, path: string, errors: FieldErrors): void {
  if (isSet(spec["resources"])) {
    errors.push(cause.forbidden(`${path}.resources`, "may not be set for a windows pod"));
  }
  validateNone(securityOf(spec), podFields, `${path}.securityContext`, errors);
  // Go has no pointers for two of these fields: false is the same as absent.
  const host = { ...spec, hostPID: spec["hostPID"] || null, hostIPC: spec["hostIPC"] || null };
  validateNone(host, ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"], path, errors);
  for (const { container, path: place } of placedContainers(spec, path, containerLists)) {
    validateNone(securityOf(container), containerFields, `${place}.securityContext`, errors);
  }
}

function validateNone(
  object: JsonObject,
  keys: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  for (const key of keys) {
    if (isSet(object[key])) {
      errors.push(cause.forbidden(`${path}.${key}`, "cannot be set for a windows pod"));
    }
  }
}

function securityOf(holder: JsonObject): JsonObject {
  return mapOf(holder["securityContext"]);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
