import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { validateContainer } from "./containers.js";
import { placedContainers } from "./placed-containers.js";
import type { PodSurroundings } from "./pod-surroundings.js";

/** Fields not supported in ephemeral containers, in the order in which errors name them. */
const unsupported = [
  "ports",
  "resources",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resizePolicy",
];

/** Appends the field errors of ephemeral containers; also used for pod templates. */
export function validateEphemeralContainers(
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const others = placedContainers(spec, path).map(({ container }) => container["name"]);
  const names = new Set(others);
  for (const [at, container] of objectsOf(spec["ephemeralContainers"]).entries()) {
    const place = `${path}.ephemeralContainers[${at}]`;
    const { name, targetContainerName: target } = container;
    validateContainer(container, place, errors, around);
    if (!isUnset(name) && names.has(name)) {
      errors.push(cause.duplicate(`${place}.name`, name));
    }
    names.add(name);
    if (!isUnset(target) && !others.includes(target)) {
      errors.push(cause.notFound(`${place}.targetContainerName`, target));
    }
    for (const key of unsupported.filter((key) => isFilled(container[key]))) {
      errors.push(cause.forbidden(`${place}.${key}`, "cannot be set for an Ephemeral Container"));
    }
  }
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
