import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { affinityCauses } from "./affinity.js";
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
import { annotationCauses } from "./metadata.js";
import { podAnnotationCauses } from "./pod-annotations.js";
import { dnsCauses, hostAliasCauses } from "./pod-network.js";
import { spreadCauses, tolerationCauses } from "./scheduling.js";
import { podSecurityCauses } from "./security.js";
import { volumesCauses } from "./volumes.js";

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
  const { activeDeadlineSeconds, nodeName, hostname, os } = spec;
  return [
    ...volumesCauses(volumes, `${path}.volumes`),
    ...containersCauses(spec, path, around),
    ...oneOf(`${path}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...dnsCauses(spec, path),
    ...labels(`${path}.nodeSelector`, spec["nodeSelector"]),
    ...podSecurityCauses(mapOf(spec["securityContext"]), `${path}.securityContext`),
    ...affinityCauses(spec["affinity"], `${path}.affinity`),
    ...objectsOf(spec["readinessGates"]).flatMap(({ conditionType }, at) =>
      qualifiedName(`${path}.readinessGates[${at}].conditionType`, String(conditionType ?? "")),
    ),
    ...objectsOf(spec["schedulingGates"]).flatMap(({ name }, at) =>
      qualifiedName(`${path}.schedulingGates[${at}]`, String(name ?? "")),
    ),
    ...spreadCauses(
      objectsOf(spec["topologySpreadConstraints"]),
      `${path}.topologySpreadConstraints`,
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
    ...hostAliasCauses(spec["hostAliases"], `${path}.hostAliases`),
    ...(isJsonObject(os) ? oneOf(`${path}.os`, os["name"], ["linux", "windows"]) : []),
  ];
}

/** What is wrong with a pod. */
export function podCauses(pod: ApiObject): Causes {
  const spec = specOf(pod);
  return [
    ...podAnnotationCauses(pod.metadata.annotations, spec, "metadata.annotations"),
    ...podSpecCauses(spec, "spec"),
  ];
}

/** What a template of pods may not say, beside what pods may not. */
export function templateCauses(
  template: unknown,
  path: string,
  claims: readonly unknown[] = [],
): Causes {
  const { metadata, spec } = mapOf(template);
  const given = mapOf(metadata);
  return [
    // These paths leave out the metadata.
    ...labels(`${path}.labels`, given["labels"]),
    ...annotationCauses(given["annotations"], `${path}.annotations`),
    ...podAnnotationCauses(given["annotations"], mapOf(spec), `${path}.annotations`),
    ...podSpecCauses(mapOf(spec), `${path}.spec`, claims),
  ];
}
