import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { validateContainer } from "./containers.js";
import type { PodSurroundings } from "./pod-surroundings.js";

/** Fields not supported in ephemeral containers, in the order in which errors name them. */
const notForThem = [
  "ports",
  "resources",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resizePolicy",
];

/** Appends the field errors of ephemeral containers; also used for pod templates. */
export function validateEphemeralContainer(
  spec: JsonObject,
  around: PodSurroundings,
  errors: FieldErrors,
  path = "spec",
): void {
  const others = ["containers", "initContainers"].flatMap((list) => objectsOf(spec[list]));
  const seen = new Set(others.map(({ name }) => name));
  for (const [at, one] of objectsOf(spec["ephemeralContainers"]).entries()) {
    const field = `${path}.ephemeralContainers[${at}]`;
    const { name, targetContainerName } = one;
    const isTaken = !isUnset(name) && seen.has(name);
    const isLost =
      !isUnset(targetContainerName) &&
      !others.some((container) => container["name"] === targetContainerName);
    seen.add(name);
    validateContainer(one, field, errors, around);
    if (isTaken) {
      errors.push(cause.duplicate(`${field}.name`, name));
    }
    if (isLost) {
      errors.push(cause.notFound(`${field}.targetContainerName`, targetContainerName));
    }
    for (const key of notForThem.filter((key) => isSaid(one[key]))) {
      errors.push(cause.forbidden(`${field}.${key}`, "cannot be set for an Ephemeral Container"));
    }
  }
}

function isSaid(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
