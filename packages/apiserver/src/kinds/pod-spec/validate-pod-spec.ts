import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { validateAnnotation } from "../../phases/validate/metadata.js";
import {
  between,
  dnsLabel,
  duplicates,
  labels,
  oneOf,
  qualifiedName,
  required,
  subdomain,
} from "../../phases/validate/old-checks.js";
import { validateSpread, validateToleration } from "../fields/scheduling.js";
import { validateVolumes } from "../volumes/validate-volumes.js";
import { validateAffinity } from "./affinity.js";
import { validateContainers } from "./containers.js";
import { validateEphemeralContainer } from "./ephemeral-containers.js";
import {
  validateHostProcess,
  validateProcessSharing,
  validateUserNamespace,
} from "./host-access.js";
import { validateOsField } from "./os-fields.js";
import { validatePodAnnotation } from "./pod-annotations.js";
import { validateResourceClaim } from "./pod-claims.js";
import { validateDns, validateHostAlias } from "./pod-network.js";
import { validatePodResource } from "./pod-resources.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validatePodSecurity } from "./security.js";

/**
 * Returns the pod context for validating containers.
 *
 * @param volumes - volumes that the containers may use.
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
 * Returns the field errors of a pod spec.
 *
 * @param podName - name of the pod; absent for templates.
 */
export function validatePodSpec(spec: JsonObject, path: string, podName?: string): FieldErrors {
  const volumes = objectsOf(spec["volumes"]);
  const checked = validateVolumes(volumes, `${path}.volumes`, podName);
  // Containers can't use invalid volumes.
  const around = surroundings(
    spec,
    volumes.filter((_, at) => !checked.wrong.has(at)),
  );
  const gates = objectsOf(spec["schedulingGates"]).map(({ name }) => name);
  const { activeDeadlineSeconds, nodeName, hostname, os } = spec;
  return [
    ...checked.causes,
    ...validateResourceClaim(objectsOf(spec["resourceClaims"]), `${path}.resourceClaims`),
    ...validateContainers(spec, path, around),
    ...oneOf(`${path}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...validateDns(spec, path),
    ...labels(`${path}.nodeSelector`, spec["nodeSelector"]),
    ...validatePodSecurity(mapOf(spec["securityContext"]), `${path}.securityContext`),
    ...validateProcessSharing(spec, path),
    ...validateAffinity(spec["affinity"], `${path}.affinity`),
    ...objectsOf(spec["readinessGates"]).flatMap(({ conditionType }, at) =>
      qualifiedName(`${path}.readinessGates[${at}].conditionType`, String(conditionType ?? "")),
    ),
    ...gates.flatMap((name, at) =>
      qualifiedName(`${path}.schedulingGates[${at}]`, String(name ?? "")),
    ),
    ...duplicates(gates, (at) => `${path}.schedulingGates[${at}]`),
    ...validateSpread(
      objectsOf(spec["topologySpreadConstraints"]),
      `${path}.topologySpreadConstraints`,
    ),
    ...validateHostProcess(spec, path),
    ...validateUserNamespace(spec, path),
    ...(isUnset(spec["serviceAccountName"])
      ? []
      : subdomain(`${path}.serviceAccountName`, spec["serviceAccountName"])),
    ...(isUnset(nodeName) ? [] : subdomain(`${path}.nodeName`, nodeName)),
    ...between(`${path}.activeDeadlineSeconds`, activeDeadlineSeconds, 1),
    ...(isUnset(hostname) ? [] : dnsLabel(`${path}.hostname`, hostname)),
    ...(isUnset(spec["subdomain"]) ? [] : dnsLabel(`${path}.subdomain`, spec["subdomain"])),
    ...objectsOf(spec["tolerations"]).flatMap((one, at) =>
      validateToleration(one, `${path}.tolerations[${at}]`),
    ),
    ...validateHostAlias(spec["hostAliases"], `${path}.hostAliases`),
    ...(isJsonObject(os)
      ? [
          ...required(`${path}.os.name`, os["name"]),
          ...oneOf(`${path}.os`, os["name"], ["linux", "windows"]),
        ]
      : []),
    ...validateOsField(spec, path),
    ...validatePodResource(spec, path),
  ];
}

/** Returns the field errors of a pod. */
export function validatePod(pod: ApiObject): FieldErrors {
  const spec = specOf(pod);
  return [
    ...validatePodAnnotation(pod.metadata.annotations, spec, "metadata.annotations"),
    ...validatePodSpec(spec, "spec", pod.metadata.name),
  ];
}

/** Returns the field errors of a pod template: those of a pod, and those of fields not allowed in templates. */
export function validateTemplate(template: unknown, path: string): FieldErrors {
  const { metadata, spec } = mapOf(template);
  const given = mapOf(metadata);
  const ephemeral = objectsOf(mapOf(spec)["ephemeralContainers"]);
  return [
    // These paths omit `metadata`.
    ...labels(`${path}.labels`, given["labels"]),
    ...validateAnnotation(given["annotations"], `${path}.annotations`),
    ...validatePodAnnotation(given["annotations"], mapOf(spec), `${path}.annotations`),
    ...validatePodSpec(mapOf(spec), `${path}.spec`),
    ...validateEphemeralContainer(mapOf(spec), surroundings(mapOf(spec)), `${path}.spec`),
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
