import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { validateRelativePath } from "../fields/paths.js";
import { fieldValidator, validateFields } from "../fields/validate-fields.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validateWindowsOptions } from "./windows-options.js";

/** Appends the field errors of a pod's security context. */
export function validatePodSecurity(context: JsonObject, path: string, errors: FieldErrors): void {
  const validate = fieldValidator("core/v1.PodSecurityContext", context, path, errors);
  validate("fsGroup", "runAsUser", "runAsGroup", "supplementalGroups", "sysctls");
  validate("fsGroupChangePolicy");
  validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`, errors);
  validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`, errors);
  validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`, errors);
  validate("supplementalGroupsPolicy", "seLinuxChangePolicy");
}

/** Appends the field errors of a container's security context. */
export function validateContainerSecurity(
  context: JsonObject,
  path: string,
  errors: FieldErrors,
  { hostUsers }: PodSurroundings,
): void {
  const { procMount, privileged, allowPrivilegeEscalation } = context;
  validateFields("core/v1.SecurityContext", context, path, errors);
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
  validateFields("core/v1.SeccompProfile", profile, path, errors);
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
  validateFields("core/v1.AppArmorProfile", profile, path, errors);
  if (type === "Localhost" && isUnset(local)) {
    errors.push(cause.required(place, "must be set when AppArmor type is Localhost"));
  } else if ((type === "RuntimeDefault" || type === "Unconfined") && !isUnset(local)) {
    errors.push(cause.invalid(place, local, "can only be set when AppArmor type is Localhost"));
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
