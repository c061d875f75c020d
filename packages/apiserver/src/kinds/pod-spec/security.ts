import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateOneOf,
  validateRange,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";
import { validateRelativePath } from "../fields/paths.js";
import { validateWindowsOptions } from "./windows-options.js";

const sysctl = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctl);
const maxSysctlLength = 253;

/** Appends the field errors of a pod's security context. */
export function validatePodSecurity(context: JsonObject, path: string, errors: FieldErrors): void {
  const { supplementalGroups } = context;
  const sysctls = objectsOf(context["sysctls"]);
  for (const key of ["fsGroup", "runAsUser", "runAsGroup"]) {
    validateRange(context[key], [0], `${path}.${key}`, errors);
  }
  for (const [at, group] of (Array.isArray(supplementalGroups)
    ? supplementalGroups
    : []
  ).entries()) {
    validateRange(group, [0], `${path}.supplementalGroups[${at}]`, errors);
  }
  for (const [at, { name }] of sysctls.entries()) {
    validateSysctl(name, `${path}.sysctls[${at}].name`, errors);
  }
  validateUniqueKeys(sysctls, "name", `${path}.sysctls`, errors);
  validateGivenOneOf(
    context["fsGroupChangePolicy"],
    ["Always", "OnRootMismatch"],
    `${path}.fsGroupChangePolicy`,
    errors,
  );
  validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`, errors);
  validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`, errors);
  validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`, errors);
  validateGivenOneOf(
    context["supplementalGroupsPolicy"],
    ["Merge", "Strict"],
    `${path}.supplementalGroupsPolicy`,
    errors,
  );
  validateGivenOneOf(
    context["seLinuxChangePolicy"],
    ["MountOption", "Recursive"],
    `${path}.seLinuxChangePolicy`,
    errors,
  );
}

function validateSysctl(name: unknown, path: string, errors: FieldErrors): void {
  if (isUnset(name)) {
    errors.push(cause.required(path));
    return;
  }
  const text = String(name);
  if (!(text.length <= maxSysctlLength) || !sysctlPattern.test(text)) {
    errors.push(
      cause.invalid(
        path,
        text,
        `must have at most ${maxSysctlLength} characters and match regex ${sysctl}`,
      ),
    );
  }
}

/**
 * Appends the field errors of a container's security context.
 *
 * @param hostUsers - `false` when the pod has its own user namespace.
 */
export function validateContainerSecurity(
  context: JsonObject,
  path: string,
  errors: FieldErrors,
  hostUsers: boolean,
): void {
  for (const key of ["runAsUser", "runAsGroup"]) {
    validateRange(context[key], [0], `${path}.${key}`, errors);
  }
  validateGivenOneOf(context["procMount"], ["Default", "Unmasked"], `${path}.procMount`, errors);
  if (hostUsers && context["procMount"] === "Unmasked") {
    errors.push(
      cause.invalid(`${path}.procMount`, "Unmasked", "`hostUsers` must be false to use `Unmasked`"),
    );
  }
  validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`, errors);
  if (context["privileged"] === true && context["allowPrivilegeEscalation"] === false) {
    errors.push(
      cause.invalid(
        path,
        shown(context),
        "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
      ),
    );
  }
  validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`, errors);
  validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`, errors);
}

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

function validateSeccomp(profile: unknown, field: string, errors: FieldErrors): void {
  if (!isJsonObject(profile)) {
    return;
  }
  const { type, localhostProfile } = profile;
  const isLocal = type === "Localhost";
  const path = `${field}.localhostProfile`;
  const isMissing = localhostProfile === undefined || localhostProfile === null;
  validateType(type, "seccompProfile", field, errors);
  if (isLocal) {
    if (isMissing) {
      errors.push(cause.required(path, "must be set when seccomp type is Localhost"));
    } else {
      validateRelativePath(path, errors, String(localhostProfile));
    }
  } else if (!isMissing) {
    errors.push(
      cause.invalid(
        path,
        { Type: type ?? "", LocalhostProfile: localhostProfile },
        "can only be set when seccomp type is Localhost",
      ),
    );
  }
}

function validateAppArmor(profile: unknown, field: string, errors: FieldErrors): void {
  if (!isJsonObject(profile)) {
    return;
  }
  const { type, localhostProfile } = profile;
  const path = `${field}.localhostProfile`;
  const isMisplaced = profileTypes.slice(1).includes(String(type));
  validateType(type, "appArmorProfile", field, errors);
  if (type === "Localhost" && isUnset(localhostProfile)) {
    errors.push(cause.required(path, "must be set when AppArmor type is Localhost"));
  } else if (isMisplaced && !isUnset(localhostProfile)) {
    errors.push(
      cause.invalid(path, localhostProfile, "can only be set when AppArmor type is Localhost"),
    );
  }
}

function validateType(type: unknown, name: string, path: string, errors: FieldErrors): void {
  if (isUnset(type)) {
    errors.push(cause.required(`${path}.type`, `type is required when ${name} is set`));
  } else {
    validateOneOf(type, profileTypes, `${path}.type`, errors);
  }
}

/** Fields in the order and with the names of Go's internal type. */
const goFields: Readonly<Record<string, string>> = {
  Capabilities: "capabilities",
  Privileged: "privileged",
  SELinuxOptions: "seLinuxOptions",
  WindowsOptions: "windowsOptions",
  RunAsUser: "runAsUser",
  RunAsGroup: "runAsGroup",
  RunAsNonRoot: "runAsNonRoot",
  ReadOnlyRootFilesystem: "readOnlyRootFilesystem",
  AllowPrivilegeEscalation: "allowPrivilegeEscalation",
  ProcMount: "procMount",
  SeccompProfile: "seccompProfile",
  AppArmorProfile: "appArmorProfile",
};

function shown(context: JsonObject): JsonObject {
  const { capabilities } = context;
  const { add = null, drop = null } = mapOf(capabilities);
  const named = isJsonObject(capabilities)
    ? { ...context, capabilities: { Add: add, Drop: drop } }
    : context;
  return Object.fromEntries(
    Object.entries(goFields).map(([name, key]) => [name, (named as JsonObject)[key] ?? null]),
  );
}
