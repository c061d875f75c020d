import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { between, type Causes, isUnset, oneOf } from "./checks.js";

const sysctl = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctl);
const maxSysctlLength = 253;

/** What is wrong with what all containers of a pod may do. */
export function podSecurityCauses(context: JsonObject, field: string): Causes {
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((key) =>
      between(`${field}.${key}`, context[key], 0),
    ),
    ...objectsOf(context["sysctls"]).flatMap(({ name }, at) =>
      sysctlCauses(name, `${field}.sysctls[${at}].name`),
    ),
    ...seccompCauses(context["seccompProfile"], `${field}.seccompProfile`),
  ];
}

function sysctlCauses(name: unknown, field: string): Causes {
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

/** What is wrong with what one container may do. */
export function containerSecurityCauses(context: JsonObject, field: string): Causes {
  return [
    ...["runAsUser", "runAsGroup"].flatMap((key) => between(`${field}.${key}`, context[key], 0)),
    ...seccompCauses(context["seccompProfile"], `${field}.seccompProfile`),
    ...(context["privileged"] === true && context["allowPrivilegeEscalation"] === false
      ? [
          cause.invalid(
            field,
            shown(context),
            "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
          ),
        ]
      : []),
  ];
}

function seccompCauses(profile: unknown, field: string): Causes {
  const { type, localhostProfile } = mapOf(profile);
  return [
    ...oneOf(`${field}.type`, type, ["Localhost", "RuntimeDefault", "Unconfined"]),
    ...(type === "Localhost" && isUnset(localhostProfile)
      ? [cause.required(`${field}.localhostProfile`, "must be set when seccomp type is Localhost")]
      : []),
  ];
}

/** The fields in the order and under the names of Go's internal type. */
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
