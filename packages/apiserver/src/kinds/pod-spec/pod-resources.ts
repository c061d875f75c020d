import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateResources } from "../fields/resource-amounts.js";

/** Appends the field errors of pod-level resources, which must accommodate those of the containers. */
export function validatePodResources(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { resources } = spec;
  if (!isJsonObject(resources)) {
    return;
  }
  validateResources(resources, `${path}.resources`, errors);
  validateRequestSum(mapOf(resources["requests"]), spec, `${path}.resources.requests`, errors);
  validateLimit(mapOf(resources["limits"]), spec, `${path}.resources`, errors);
}

function validateRequestSum(
  requests: JsonObject,
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const running = [
    ...objectsOf(spec["containers"]),
    ...objectsOf(spec["initContainers"]).filter((one) => one["restartPolicy"] === "Always"),
  ];
  for (const [name, amount] of Object.entries(requests)) {
    const nanos = running.reduce(
      (sum, one) => sum + (nanosOf(mapOf(mapOf(one["resources"])["requests"])[name]) ?? 0n),
      0n,
    );
    const family = name === "memory" ? "binary" : "decimal";
    if ((nanosOf(amount) ?? 0n) < nanos) {
      const why = `must be greater than or equal to aggregate container requests of ${formatQuantity({ nanos, family })}`;
      errors.push(cause.invalid(`${path}[${name}]`, String(amount), why));
    }
  }
}

function validateLimit(
  limits: JsonObject,
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  for (const [at, one] of objectsOf(spec["containers"]).entries()) {
    for (const [name, amount] of Object.entries(mapOf(mapOf(one["resources"])["limits"]))) {
      const most = nanosOf(limits[name]);
      if (most !== undefined && (nanosOf(amount) ?? 0n) > most) {
        const why = `must be less than or equal to pod limits of ${String(limits[name])}`;
        const place = `${path}.containers[${at}][${name}].limits`;
        errors.push(cause.invalid(place, String(amount), why));
      }
    }
  }
}

function nanosOf(amount: unknown): bigint | undefined {
  return parseQuantity(amount)?.nanos;
}
