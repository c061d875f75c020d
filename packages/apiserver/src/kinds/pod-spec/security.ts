import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { between, duplicates, givenOneOf, oneOf } from "../../phases/validate/old-checks.js";
import { relativePath } from "../fields/paths.js";
import { validateWindowsOptions } from "./windows-options.js";

const sysctl = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctl);
const maxSysctlLength = 253;

/** Returns the field errors of a pod's security context. */
export function validatePodSecurity(context: JsonObject, field: string): FieldErrors {
  const { supplementalGroups } = context;
  const sysctls = objectsOf(context["sysctls"]);
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((key) =>
      between(`${field}.${key}`, context[key], 0),
    ),
    ...(Array.isArray(supplementalGroups) ? supplementalGroups : []).flatMap((group, at) =>
      between(`${field}.supplementalGroups[${at}]`, group, 0),
    ),
    ...sysctls.flatMap(({ name }, at) => validateSysctl(name, `${field}.sysctls[${at}].name`)),
    ...duplicates(
      sysctls.map(({ name }) => name),
      (at) => `${field}.sysctls[${at}].name`,
    ),
    ...givenOneOf(`${field}.fsGroupChangePolicy`, context["fsGroupChangePolicy"], [
      "Always",
      "OnRootMismatch",
    ]),
    ...validateSeccomp(context["seccompProfile"], `${field}.seccompProfile`),
    ...validateWindowsOptions(context["windowsOptions"], `${field}.windowsOptions`),
    ...validateAppArmor(context["appArmorProfile"], `${field}.appArmorProfile`),
    ...givenOneOf(`${field}.supplementalGroupsPolicy`, context["supplementalGroupsPolicy"], [
      "Merge",
      "Strict",
    ]),
    ...givenOneOf(`${field}.seLinuxChangePolicy`, context["seLinuxChangePolicy"], [
      "MountOption",
      "Recursive",
    ]),
  ];
}

function validateSysctl(name: unknown, field: string): FieldErrors {
  if (isUnset(name)) {
    return [cause.required(field)];
  }
  const text = String(name);
  return text.length <= maxSysctlLength && sysctlPattern.test(text)
    ? []
    : [
        cause.invalid(
          field,
          text,
          `must have at most ${maxSysctlLength} characters and match regex ${sysctl}`,
        ),
      ];
}

/**
 * Returns the field errors of a container's security context.
 *
 * @param hostUsers - `false` when the pod has its own user namespace.
 */
export function validateContainerSecurity(
  context: JsonObject,
  field: string,
  hostUsers: boolean,
): FieldErrors {
  return [
    ...["runAsUser", "runAsGroup"].flatMap((key) => between(`${field}.${key}`, context[key], 0)),
    ...givenOneOf(`${field}.procMount`, context["procMount"], ["Default", "Unmasked"]),
    ...(hostUsers && context["procMount"] === "Unmasked"
      ? [
          cause.invalid(
            `${field}.procMount`,
            "Unmasked",
            "`hostUsers` must be false to use `Unmasked`",
          ),
        ]
      : []),
    ...validateSeccomp(context["seccompProfile"], `${field}.seccompProfile`),
    ...(context["privileged"] === true && context["allowPrivilegeEscalation"] === false
      ? [
          cause.invalid(
            field,
            shown(context),
            "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
          ),
        ]
      : []),
    ...validateWindowsOptions(context["windowsOptions"], `${field}.windowsOptions`),
    ...validateAppArmor(context["appArmorProfile"], `${field}.appArmorProfile`),
  ];
}

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

function validateSeccomp(profile: unknown, field: string): FieldErrors {
  if (!isJsonObject(profile)) {
    return [];
  }
  const { type, localhostProfile } = profile;
  const isLocal = type === "Localhost";
  const path = `${field}.localhostProfile`;
  const isMissing = localhostProfile === undefined || localhostProfile === null;
  return [
    ...validateType(type, "seccompProfile", field),
    ...(isLocal
      ? isMissing
        ? [cause.required(path, "must be set when seccomp type is Localhost")]
        : relativePath(path, String(localhostProfile))
      : isMissing
        ? []
        : [
            cause.invalid(
              path,
              { Type: type ?? "", LocalhostProfile: localhostProfile },
              "can only be set when seccomp type is Localhost",
            ),
          ]),
  ];
}

function validateAppArmor(profile: unknown, field: string): FieldErrors {
  if (!isJsonObject(profile)) {
    return [];
  }
  const { type, localhostProfile } = profile;
  const path = `${field}.localhostProfile`;
  const isMisplaced = profileTypes.slice(1).includes(String(type));
  return [
    ...validateType(type, "appArmorProfile", field),
    ...(type === "Localhost" && isUnset(localhostProfile)
      ? [cause.required(path, "must be set when AppArmor type is Localhost")]
      : isMisplaced && !isUnset(localhostProfile)
        ? [cause.invalid(path, localhostProfile, "can only be set when AppArmor type is Localhost")]
        : []),
  ];
}

function validateType(type: unknown, name: string, field: string): FieldErrors {
  return isUnset(type)
    ? [cause.required(`${field}.type`, `type is required when ${name} is set`)]
    : oneOf(`${field}.type`, type, profileTypes);
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
