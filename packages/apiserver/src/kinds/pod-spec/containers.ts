import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateOneOf,
  validateRequired,
  validateUnique,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";
import { validateResources } from "../fields/resource-amounts.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { validateContainerPorts, validateHostPorts } from "./container-ports.js";
import { validateDevices, validateMounts } from "./container-volumes.js";
import { validateEnv, validateEnvFrom } from "./environment.js";
import { validateUsedClaims } from "./pod-claims.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validateHandler, validateProbe } from "./probes.js";
import { validateContainerSecurity } from "./security.js";

const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

/** Appends the field errors of a pod's containers and init containers. */
export function validateContainers(
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const containers = objectsOf(spec["containers"]);
  const place = `${path}.containers`;
  if (containers.length === 0) {
    errors.push(cause.required(place));
  }
  for (const [at, container] of containers.entries()) {
    validateContainer(container, `${place}[${at}]`, errors, around);
    validateLifecycle(container, `${place}[${at}]`, errors, around);
  }
  validateUniqueKeys(containers, "name", place, errors);
  validateHostPorts(containers, place, errors);
  validateInitContainers(spec, `${path}.initContainers`, errors, around);
}

function validateInitContainers(
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const names = new Set(objectsOf(spec["containers"]).map(({ name }) => name));
  for (const [at, container] of objectsOf(spec["initContainers"]).entries()) {
    const place = `${path}[${at}]`;
    const { name, restartPolicy } = container;
    validateContainer(container, place, errors, around);
    if (!isUnset(name) && names.has(name)) {
      errors.push(cause.duplicate(`${place}.name`, name));
    }
    names.add(name);
    fieldValidator("core/v1.Container", container, place, errors)("restartPolicy");
    if (restartPolicy === "Always") {
      validateLifecycle(container, place, errors, around);
    } else {
      validateNoLifecycle(container, place, errors);
    }
  }
}

function validateNoLifecycle(container: JsonObject, path: string, errors: FieldErrors): void {
  for (const key of ["lifecycle", ...probes]) {
    if (isJsonObject(container[key])) {
      const why = "may not be set for init containers without restartPolicy=Always";
      errors.push(cause.forbidden(`${path}.${key}`, why));
    }
  }
}

/** Appends the field errors of a single container. */
export function validateContainer(
  container: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const { image } = container;
  const validate = fieldValidator("core/v1.Container", container, path, errors);
  const resources = mapOf(container["resources"]);
  const security = mapOf(container["securityContext"]);
  validate("name", "image");
  if (typeof image === "string" && image !== image.trim()) {
    const why = "must not have leading or trailing whitespace";
    errors.push(cause.invalid(`${path}.image`, image, why));
  }
  validate("terminationMessagePolicy");
  validateContainerPorts(objectsOf(container["ports"]), `${path}.ports`, errors, around);
  validateEnv(objectsOf(container["env"]), `${path}.env`, errors);
  validateEnvFrom(objectsOf(container["envFrom"]), `${path}.envFrom`, errors);
  validateMounts(container, `${path}.volumeMounts`, errors, around);
  validateDevices(container, `${path}.volumeDevices`, errors, around);
  validate("imagePullPolicy");
  validateResources(resources, `${path}.resources`, errors);
  validateUsedClaims(objectsOf(resources["claims"]), `${path}.resources.claims`, errors, around);
  validateResizePolicies(objectsOf(container["resizePolicy"]), `${path}.resizePolicy`, errors);
  validateContainerSecurity(security, `${path}.securityContext`, errors, around);
}

/** Checks resize policies. Errors don't contain the index of a policy. */
function validateResizePolicies(
  policies: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  for (const { resourceName, restartPolicy } of policies) {
    validateRequired(resourceName, path, errors);
    validateOneOf(resourceName, ["cpu", "memory"], path, errors);
    validateRequired(restartPolicy, path, errors);
    validateOneOf(restartPolicy, ["NotRequired", "RestartContainer"], path, errors);
  }
  const names = policies.map(({ resourceName }) => resourceName);
  validateUnique(names, (at) => `${path}[${at}]`, errors);
}

function validateLifecycle(
  container: JsonObject,
  path: string,
  errors: FieldErrors,
  { graceSeconds }: PodSurroundings,
): void {
  const hooks = mapOf(container["lifecycle"]);
  for (const key of ["postStart", "preStop"]) {
    if (isJsonObject(hooks[key])) {
      validateHandler(hooks[key], `${path}.lifecycle.${key}`, errors, graceSeconds);
    }
  }
  for (const key of probes) {
    if (isJsonObject(container[key])) {
      validateProbe(container[key], `${path}.${key}`, errors, key === "readinessProbe");
    }
  }
}
