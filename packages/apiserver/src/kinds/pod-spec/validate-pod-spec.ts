import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  validateItems,
  validateLabels,
  validateOneOf,
  validateQualifiedName,
  validateRequired,
  validateUnique,
} from "../../phases/validate/checks.js";
import { validateAnnotations } from "../../phases/validate/metadata.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { validateVolumes } from "../volumes/validate-volumes.js";
import { validateAffinity } from "./affinity.js";
import { validateContainers } from "./containers.js";
import { validateEphemeralContainers } from "./ephemeral-containers.js";
import {
  validateHostProcess,
  validateProcessSharing,
  validateUserNamespace,
} from "./host-access.js";
import { validateOsFields } from "./os-fields.js";
import { validatePodAnnotations } from "./pod-annotations.js";
import { validateResourceClaims } from "./pod-claims.js";
import { validateDns } from "./pod-network.js";
import { validatePodResources } from "./pod-resources.js";
import { surroundings } from "./pod-surroundings.js";
import { validatePodSecurity } from "./security.js";
import { validateToleration } from "./tolerations.js";
import { validateSpread } from "./topology-spread.js";

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
  const validate = fieldValidator("core/v1.PodSpec", spec, path, errors);
  const volumes = validateVolumes(objectsOf(spec["volumes"]), `${path}.volumes`, errors, podName);
  validateResourceClaims(objectsOf(spec["resourceClaims"]), `${path}.resourceClaims`, errors);
  // Containers can't use invalid volumes.
  validateContainers(spec, path, errors, surroundings(spec, volumes));
  validate("restartPolicy");
  validateDns(spec, path, errors);
  validate("nodeSelector");
  validatePodSecurity(mapOf(spec["securityContext"]), `${path}.securityContext`, errors);
  validateProcessSharing(spec, path, errors);
  validateScheduling(spec, path, errors);
  validateHostProcess(spec, path, errors);
  validateUserNamespace(spec, path, errors);
  validate("serviceAccountName", "nodeName", "activeDeadlineSeconds", "hostname", "subdomain");
  validateItems(objectsOf(spec["tolerations"]), validateToleration, `${path}.tolerations`, errors);
  validate("hostAliases");
  if (isJsonObject(spec["os"])) {
    const { name } = spec["os"];
    validateRequired(name, `${path}.os.name`, errors);
    validateOneOf(name, ["linux", "windows"], `${path}.os`, errors);
  }
  validateOsFields(spec, path, errors);
  validatePodResources(spec, path, errors);
}

function validateScheduling(spec: JsonObject, path: string, errors: FieldErrors): void {
  const gates = objectsOf(spec["schedulingGates"]).map(({ name }) => name);
  const constraints = objectsOf(spec["topologySpreadConstraints"]);
  validateAffinity(spec["affinity"], `${path}.affinity`, errors);
  fieldValidator("core/v1.PodSpec", spec, path, errors)("readinessGates");
  validateItems(gates, validateQualifiedName, `${path}.schedulingGates`, errors);
  validateUnique(gates, (at) => `${path}.schedulingGates[${at}]`, errors);
  validateSpread(constraints, `${path}.topologySpreadConstraints`, errors);
}

/** Appends the field errors of a pod template: those of a pod, and those of fields not allowed in templates. */
export function validateTemplate(template: unknown, path: string, errors: FieldErrors): void {
  const { metadata, spec: given } = mapOf(template);
  const { labels, annotations } = mapOf(metadata);
  const spec = mapOf(given);
  validateLabels(labels, `${path}.labels`, errors);
  validateAnnotations(annotations, `${path}.annotations`, errors);
  validatePodAnnotations(annotations, spec, `${path}.annotations`, errors);
  validatePodSpec(spec, `${path}.spec`, errors);
  validateEphemeralContainers(spec, `${path}.spec`, errors, surroundings(spec));
  if (objectsOf(spec["ephemeralContainers"]).length > 0) {
    const why = "ephemeral containers not allowed in pod template";
    errors.push(cause.forbidden(`${path}.spec.ephemeralContainers`, why));
  }
}
