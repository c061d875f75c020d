import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { containersOf } from "./host-access.js";

const noWindows = "cannot be set for a windows pod";

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
export function validateOsField(spec: JsonObject, path: string, errors: FieldErrors): void {
  switch (mapOf(spec["os"])["name"]) {
    case "linux":
      validateLinux(spec, path, errors);
      break;
    case "windows":
      validateWindows(spec, path, errors);
      break;
    default:
  }
}

function validateLinux(spec: JsonObject, path: string, errors: FieldErrors): void {
  for (const { field } of [{ container: spec, field: path }, ...containersOf(spec, path)].filter(
    ({ container }) => isSet(securityOf(container)["windowsOptions"]),
  )) {
    errors.push(
      cause.forbidden(
        `${field}.securityContext.windowsOptions`,
        "windows options cannot be set for a linux pod",
      ),
    );
  }
}

function validateWindows(spec: JsonObject, path: string, errors: FieldErrors): void {
  const context = securityOf(spec);
  if (isSet(spec["resources"])) {
    errors.push(cause.forbidden(`${path}.resources`, "may not be set for a windows pod"));
  }
  for (const field of podFields.filter((field) => isSet(context[field]))) {
    errors.push(cause.forbidden(`${path}.securityContext.${field}`, noWindows));
  }
  for (const field of ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"].filter(
    (field) =>
      field === "hostPID" || field === "hostIPC" ? spec[field] === true : isSet(spec[field]),
  )) {
    errors.push(cause.forbidden(`${path}.${field}`, noWindows));
  }
  for (const { container, field: place } of containersOf(spec, path)) {
    for (const field of containerFields.filter((field) => isSet(securityOf(container)[field]))) {
      errors.push(cause.forbidden(`${place}.securityContext.${field}`, noWindows));
    }
  }
}

function securityOf(holder: JsonObject): JsonObject {
  return mapOf(holder["securityContext"]);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
