import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateRange,
  validateRequiredWith,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";
import { validateRelativePath } from "../fields/paths.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validateWindowsOptions } from "./windows-options.js";

const sysctl = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctl);
const maxSysctlLength = 253;

/** Appends the field errors of a pod's security context. */
export function validatePodSecurity(context: JsonObject, path: string, errors: FieldErrors): void {
  const sysctls = objectsOf(context["sysctls"]);
  const groups: unknown = context["supplementalGroups"];
  for (const key of ["fsGroup", "runAsUser", "runAsGroup"]) {
    validateId(context[key], `${path}.${key}`, errors);
  }
  validateItems(
    Array.isArray(groups) ? groups : [],
    validateId,
    `${path}.supplementalGroups`,
    errors,
  );
  for (const [at, { name }] of sysctls.entries()) {
    validateRequiredWith(name, validateSysctl, `${path}.sysctls[${at}].name`, errors);
  }
  validateUniqueKeys(sysctls, "name", `${path}.sysctls`, errors);
  const validateWord = (key: string, words: readonly string[]) =>
    validateGivenOneOf(context[key], words, `${path}.${key}`, errors);
  validateWord("fsGroupChangePolicy", ["Always", "OnRootMismatch"]);
  validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`, errors);
  validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`, errors);
  validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`, errors);
  validateWord("supplementalGroupsPolicy", ["Merge", "Strict"]);
  validateWord("seLinuxChangePolicy", ["MountOption", "Recursive"]);
}

/** Checks the ID of a user or group. */
function validateId(id: unknown, path: string, errors: FieldErrors): void {
  validateRange(id, [0], path, errors);
}

function validateSysctl(name: unknown, path: string, errors: FieldErrors): void {
  const text = String(name);
  if (text.length > maxSysctlLength || !sysctlPattern.test(text)) {
    const why = `must have at most ${maxSysctlLength} characters and match regex ${sysctl}`;
    errors.push(cause.invalid(path, text, why));
  }
}

/** Appends the field errors of a container's security context. */
export function validateContainerSecurity(
  context: JsonObject,
  path: string,
  errors: FieldErrors,
  { hostUsers }: PodSurroundings,
): void {
  const { procMount, privileged, allowPrivilegeEscalation } = context;
  for (const key of ["runAsUser", "runAsGroup"]) {
    validateId(context[key], `${path}.${key}`, errors);
  }
  validateGivenOneOf(procMount, ["Default", "Unmasked"], `${path}.procMount`, errors);
  if (hostUsers && procMount === "Unmasked") {
    const why = "`hostUsers` must be false to use `Unmasked`";
    errors.push(cause.invalid(`${path}.procMount`, "Unmasked", why));
  }
  validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`, errors);
  if (privileged === true && allowPrivilegeEscalation === false) {
    const why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
    errors.push(cause.invalid(path, shown(context), why));
  }
  validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`, errors);
  validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`, errors);
}

function validateSeccomp(profile: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(profile)) {
    return;
  }
  const { type, localhostProfile: local } = profile;
  const isMissing = local === undefined || local === null;
  const place = `${path}.localhostProfile`;
  validateType(type, "seccompProfile", path, errors);
  if (type === "Localhost" && isMissing) {
    errors.push(cause.required(place, "must be set when seccomp type is Localhost"));
  } else if (type === "Localhost") {
    validateRelativePath(String(local), place, errors);
  } else if (!isMissing) {
    const given = { Type: type ?? "", LocalhostProfile: local };
    errors.push(cause.invalid(place, given, "can only be set when seccomp type is Localhost"));
  }
}

function validateAppArmor(profile: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(profile)) {
    return;
  }
  const { type, localhostProfile: local } = profile;
  const place = `${path}.localhostProfile`;
  validateType(type, "appArmorProfile", path, errors);
  if (type === "Localhost" && isUnset(local)) {
    errors.push(cause.required(place, "must be set when AppArmor type is Localhost"));
  } else if ((type === "RuntimeDefault" || type === "Unconfined") && !isUnset(local)) {
    errors.push(cause.invalid(place, local, "can only be set when AppArmor type is Localhost"));
  }
}

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

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
