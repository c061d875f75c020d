import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { affinityCauses } from "./affinity.js";
import {
  between,
  type Causes,
  dnsLabel,
  duplicates,
  isUnset,
  labels,
  oneOf,
  qualifiedName,
  required,
  subdomain,
} from "./checks.js";
import { containersCauses, type PodSurroundings } from "./containers.js";
import { ephemeralContainerCauses } from "./ephemeral-containers.js";
import { hostProcessCauses, processCauses, userNamespaceCauses } from "./host-access.js";
import { annotationCauses } from "./metadata.js";
import { osFieldCauses } from "./os-fields.js";
import { podAnnotationCauses } from "./pod-annotations.js";
import { resourceClaimCauses } from "./pod-claims.js";
import { dnsCauses, hostAliasCauses } from "./pod-network.js";
import { podResourceCauses } from "./pod-resources.js";
import { spreadCauses, tolerationCauses } from "./scheduling.js";
import { podSecurityCauses } from "./security.js";
import { volumesCauses } from "./volumes.js";

/**
 * What the containers of a pod are checked against.
 *
 * @param volumes - those that they may use.
 */
export function surroundings(
  spec: JsonObject,
  volumes: readonly JsonObject[] = objectsOf(spec["volumes"]),
): PodSurroundings {
  return {
    volumes: new Map(volumes.map((one) => [one["name"], one])),
    hostNetwork: spec["hostNetwork"] === true,
    resourceClaims: objectsOf(spec["resourceClaims"]).flatMap(({ name }) =>
      isUnset(name) ? [] : [name],
    ),
    graceSeconds: Number(spec["terminationGracePeriodSeconds"] ?? 0),
    hostUsers: spec["hostUsers"] !== false,
  };
}

/**
 * What is wrong with a spec of pods.
 *
 * @param podName - of a pod that stands for itself.
 */
export function podSpecCauses(spec: JsonObject, path: string, podName?: string): Causes {
  const volumes = objectsOf(spec["volumes"]);
  const checked = volumesCauses(volumes, `${path}.volumes`, podName);
  // What is wrong by itself can be used by nobody.
  const around = surroundings(
    spec,
    volumes.filter((_, at) => !checked.wrong.has(at)),
  );
  const gates = objectsOf(spec["schedulingGates"]).map(({ name }) => name);
  const { activeDeadlineSeconds, nodeName, hostname, os } = spec;
  return [
    ...checked.causes,
    ...resourceClaimCauses(objectsOf(spec["resourceClaims"]), `${path}.resourceClaims`),
    ...containersCauses(spec, path, around),
    ...oneOf(`${path}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...dnsCauses(spec, path),
    ...labels(`${path}.nodeSelector`, spec["nodeSelector"]),
    ...podSecurityCauses(mapOf(spec["securityContext"]), `${path}.securityContext`),
    ...processCauses(spec, path),
    ...affinityCauses(spec["affinity"], `${path}.affinity`),
    ...objectsOf(spec["readinessGates"]).flatMap(({ conditionType }, at) =>
      qualifiedName(`${path}.readinessGates[${at}].conditionType`, String(conditionType ?? "")),
    ),
    ...gates.flatMap((name, at) =>
      qualifiedName(`${path}.schedulingGates[${at}]`, String(name ?? "")),
    ),
    ...duplicates(gates, (at) => `${path}.schedulingGates[${at}]`),
    ...spreadCauses(
      objectsOf(spec["topologySpreadConstraints"]),
      `${path}.topologySpreadConstraints`,
    ),
    ...hostProcessCauses(spec, path),
    ...userNamespaceCauses(spec, path),
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
    ...(isJsonObject(os)
      ? [
          ...required(`${path}.os.name`, os["name"]),
          ...oneOf(`${path}.os`, os["name"], ["linux", "windows"]),
        ]
      : []),
    ...osFieldCauses(spec, path),
    ...podResourceCauses(spec, path),
  ];
}

/** What is wrong with a pod. */
export function podCauses(pod: ApiObject): Causes {
  const spec = specOf(pod);
  return [
    ...podAnnotationCauses(pod.metadata.annotations, spec, "metadata.annotations"),
    ...podSpecCauses(spec, "spec", pod.metadata.name),
  ];
}

/** Field errors of a template of pods: those of pods, and those of fields that templates cannot have. */
export function templateCauses(template: unknown, path: string): Causes {
  const { metadata, spec } = mapOf(template);
  const given = mapOf(metadata);
  const ephemeral = objectsOf(mapOf(spec)["ephemeralContainers"]);
  return [
    // These paths leave out the metadata.
    ...labels(`${path}.labels`, given["labels"]),
    ...annotationCauses(given["annotations"], `${path}.annotations`),
    ...podAnnotationCauses(given["annotations"], mapOf(spec), `${path}.annotations`),
    ...podSpecCauses(mapOf(spec), `${path}.spec`),
    ...ephemeralContainerCauses(mapOf(spec), surroundings(mapOf(spec)), `${path}.spec`),
    ...(ephemeral.length > 0
      ? [
          cause.forbidden(
            `${path}.spec.ephemeralContainers`,
            "ephemeral containers not allowed in pod template",
          ),
        ]
      : []),
  ];
}
