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

/** Returns errors for fields that the pod's operating system does not support. */
export function validateOsField(spec: JsonObject, path: string): FieldErrors {
  switch (mapOf(spec["os"])["name"]) {
    case "linux":
      return validateLinux(spec, path);
    case "windows":
      return validateWindows(spec, path);
    default:
      return [];
  }
}

function validateLinux(spec: JsonObject, path: string): FieldErrors {
  return [{ container: spec, field: path }, ...containersOf(spec, path)]
    .filter(({ container }) => isSet(securityOf(container)["windowsOptions"]))
    .map(({ field }) =>
      cause.forbidden(
        `${field}.securityContext.windowsOptions`,
        "windows options cannot be set for a linux pod",
      ),
    );
}

function validateWindows(spec: JsonObject, path: string): FieldErrors {
  const context = securityOf(spec);
  return [
    ...(isSet(spec["resources"])
      ? [cause.forbidden(`${path}.resources`, "may not be set for a windows pod")]
      : []),
    ...podFields
      .filter((field) => isSet(context[field]))
      .map((field) => cause.forbidden(`${path}.securityContext.${field}`, noWindows)),
    // Only for these two host namespaces does false count as unset.
    ...["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"]
      .filter((field) =>
        field === "hostPID" || field === "hostIPC" ? spec[field] === true : isSet(spec[field]),
      )
      .map((field) => cause.forbidden(`${path}.${field}`, noWindows)),
    ...containersOf(spec, path).flatMap(({ container, field: place }) =>
      containerFields
        .filter((field) => isSet(securityOf(container)[field]))
        .map((field) => cause.forbidden(`${place}.securityContext.${field}`, noWindows)),
    ),
  ];
}

function securityOf(holder: JsonObject): JsonObject {
  return mapOf(holder["securityContext"]);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
