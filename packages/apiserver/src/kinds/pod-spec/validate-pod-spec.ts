import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import {
  isUnset,
  validateDnsLabel,
  validateItems,
  validateLabels,
  validateOneOf,
  validateOptional,
  validateQualifiedName,
  validateRange,
  validateRequired,
  validateSubdomain,
  validateUnique,
} from "../../phases/validate/checks.js";
import { validateAnnotations } from "../../phases/validate/metadata.js";
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
import { validateToleration } from "./tolerations.js";
import { validateSpread } from "./topology-spread.js";

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
 * Appends the field errors of a pod spec.
 *
 * @param podName - name of the pod; absent for templates.
 */
export function validatePodSpec(
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
  podName?: string,
): void {
  const volumes = objectsOf(spec["volumes"]);
  const checked = validateVolumes(volumes, `${path}.volumes`, podName);
  // Containers can't use invalid volumes.
  const around = surroundings(
    spec,
    volumes.filter((_, at) => !checked.wrong.has(at)),
  );
  const gates = objectsOf(spec["schedulingGates"]).map(({ name }) => name);
  const { activeDeadlineSeconds, nodeName, hostname, os } = spec;
  errors.push(...checked.causes);
  validateResourceClaim(objectsOf(spec["resourceClaims"]), `${path}.resourceClaims`, errors);
  validateContainers(spec, path, errors, around);
  validateOneOf(
    spec["restartPolicy"],
    ["Always", "OnFailure", "Never"],
    `${path}.restartPolicy`,
    errors,
  );
  validateDns(spec, path, errors);
  validateLabels(spec["nodeSelector"], `${path}.nodeSelector`, errors);
  validatePodSecurity(mapOf(spec["securityContext"]), `${path}.securityContext`, errors);
  validateProcessSharing(spec, path, errors);
  validateAffinity(spec["affinity"], `${path}.affinity`, errors);
  for (const [at, { conditionType }] of objectsOf(spec["readinessGates"]).entries()) {
    validateQualifiedName(conditionType, `${path}.readinessGates[${at}].conditionType`, errors);
  }
  for (const [at, name] of gates.entries()) {
    validateQualifiedName(name, `${path}.schedulingGates[${at}]`, errors);
  }
  validateUnique(gates, (at) => `${path}.schedulingGates[${at}]`, errors);
  validateSpread(
    objectsOf(spec["topologySpreadConstraints"]),
    `${path}.topologySpreadConstraints`,
    errors,
  );
  validateHostProcess(spec, path, errors);
  validateUserNamespace(spec, path, errors);
  validateOptional(
    spec["serviceAccountName"],
    validateSubdomain,
    `${path}.serviceAccountName`,
    errors,
  );
  validateOptional(nodeName, validateSubdomain, `${path}.nodeName`, errors);
  validateRange(activeDeadlineSeconds, [1], `${path}.activeDeadlineSeconds`, errors);
  validateOptional(hostname, validateDnsLabel, `${path}.hostname`, errors);
  validateOptional(spec["subdomain"], validateDnsLabel, `${path}.subdomain`, errors);
  validateItems(objectsOf(spec["tolerations"]), validateToleration, `${path}.tolerations`, errors);
  validateHostAlias(spec["hostAliases"], `${path}.hostAliases`, errors);
  if (isJsonObject(os)) {
    validateRequired(os["name"], `${path}.os.name`, errors);
    validateOneOf(os["name"], ["linux", "windows"], `${path}.os`, errors);
  }
  validateOsField(spec, path, errors);
  validatePodResource(spec, path, errors);
}

/** Appends the field errors of a pod. */
export function validatePod(pod: ApiObject, errors: FieldErrors): void {
  const spec = specOf(pod);
  validatePodAnnotation(pod.metadata.annotations, spec, "metadata.annotations", errors);
  validatePodSpec(spec, "spec", errors, pod.metadata.name);
}

/** Appends the field errors of a pod template: those of a pod, and those of fields not allowed in templates. */
export function validateTemplate(template: unknown, path: string, errors: FieldErrors): void {
  const { metadata, spec } = mapOf(template);
  const given = mapOf(metadata);
  const ephemeral = objectsOf(mapOf(spec)["ephemeralContainers"]);
  validateLabels(given["labels"], `${path}.labels`, errors);
  validateAnnotations(given["annotations"], `${path}.annotations`, errors);
  validatePodAnnotation(given["annotations"], mapOf(spec), `${path}.annotations`, errors);
  validatePodSpec(mapOf(spec), `${path}.spec`, errors);
  validateEphemeralContainer(mapOf(spec), surroundings(mapOf(spec)), errors, `${path}.spec`);
  if (ephemeral.length > 0) {
    errors.push(
      cause.forbidden(
        `${path}.spec.ephemeralContainers`,
        "ephemeral containers not allowed in pod template",
      ),
    );
  }
}
