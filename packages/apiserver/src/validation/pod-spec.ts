import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import {
  between,
  type Causes,
  dnsLabel,
  isUnset,
  labels,
  oneOf,
  qualifiedName,
  subdomain,
} from "./checks.js";
import { containersCauses } from "./containers.js";
import { volumesCauses } from "./volumes.js";

const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/**
 * What is wrong with a spec of pods.
 *
 * @param claims - names of volumes that come from elsewhere.
 */
export function podSpecCauses(
  spec: JsonObject,
  path: string,
  claims: readonly unknown[] = [],
): Causes {
  const volumes = objectsOf(spec["volumes"]);
  const around = {
    volumes: new Set([...volumes.map(({ name }) => name), ...claims]),
    hostNetwork: spec["hostNetwork"] === true,
  };
  const { dnsPolicy, dnsConfig, activeDeadlineSeconds, nodeName, hostname } = spec;
  const isSilent = dnsPolicy === "None" && !isJsonObject(dnsConfig);
  return [
    ...volumesCauses(volumes, `${path}.volumes`),
    ...containersCauses(spec, path, around),
    ...oneOf(`${path}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...oneOf(`${path}.dnsPolicy`, dnsPolicy, dnsPolicies),
    ...labels(`${path}.nodeSelector`, spec["nodeSelector"]),
    ...securityCauses(mapOf(spec["securityContext"]), `${path}.securityContext`),
    ...(isSilent
      ? [cause.required(`${path}.dnsConfig`, "must provide `dnsConfig` when `dnsPolicy` is None")]
      : []),
    ...objectsOf(spec["readinessGates"]).flatMap(({ conditionType }, at) =>
      qualifiedName(`${path}.readinessGates[${at}].conditionType`, String(conditionType ?? "")),
    ),
    ...objectsOf(spec["topologySpreadConstraints"]).flatMap((one, at) =>
      spreadCauses(one, `${path}.topologySpreadConstraints[${at}]`),
    ),
    ...(isUnset(spec["serviceAccountName"])
      ? []
      : subdomain(`${path}.serviceAccountName`, spec["serviceAccountName"])),
    ...(isUnset(nodeName) ? [] : subdomain(`${path}.nodeName`, nodeName)),
    ...between(`${path}.activeDeadlineSeconds`, activeDeadlineSeconds, 1),
    ...(isUnset(hostname) ? [] : dnsLabel(`${path}.hostname`, hostname)),
    ...(isUnset(spec["subdomain"]) ? [] : dnsLabel(`${path}.subdomain`, spec["subdomain"])),
    ...objectsOf(spec["tolerations"]).flatMap((one, at) =>
      tolerationCauses(one, `${path}.tolerations[${at}]`),
    ),
  ];
}

function securityCauses(context: JsonObject, field: string): Causes {
  return ["fsGroup", "runAsUser", "runAsGroup"].flatMap((key) =>
    between(`${field}.${key}`, context[key], 0),
  );
}

function spreadCauses(one: JsonObject, field: string): Causes {
  const { maxSkew, topologyKey, whenUnsatisfiable } = one;
  return [
    ...(typeof maxSkew === "number" && maxSkew > 0
      ? []
      : [cause.invalid(`${field}.maxSkew`, maxSkew ?? 0, "must be greater than zero")]),
    ...(isUnset(topologyKey) ? [cause.required(`${field}.topologyKey`, "can not be empty")] : []),
    ...oneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]),
  ];
}

function tolerationCauses(one: JsonObject, field: string): Causes {
  const { key, operator = "Equal", value, effect, tolerationSeconds } = one;
  const isAll = isUnset(key);
  return [
    ...(isAll ? [] : qualifiedName(`${field}.key`, String(key))),
    ...(isAll && operator !== "Exists"
      ? [
          cause.invalid(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [
          cause.invalid(
            `${field}.effect`,
            effect ?? "",
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...(operator === "Exists" && !isUnset(value)
      ? [
          cause.invalid(
            `${field}.operator`,
            value,
            "value must be empty when `operator` is 'Exists'",
          ),
        ]
      : []),
    ...oneOf(`${field}.operator`, operator, ["Equal", "Exists"]),
    ...oneOf(`${field}.effect`, effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  ];
}

/** What a template of pods may not say, beside what pods may not. */
export function templateCauses(
  template: unknown,
  path: string,
  claims: readonly unknown[] = [],
): Causes {
  const { metadata, spec } = mapOf(template);
  return [
    // This one path leaves out the metadata.
    ...labels(`${path}.labels`, mapOf(metadata)["labels"]),
    ...podSpecCauses(mapOf(spec), `${path}.spec`, claims),
  ];
}
