import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateResource } from "../fields/resource-amounts.js";

/** Appends the field errors of pod-level resources, which must accommodate those of the containers. */
export function validatePodResource(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { resources } = spec;
  if (!isJsonObject(resources)) {
    return;
  }
  const field = `${path}.resources`;
  validateResource(resources, field, errors);
  validateRequestSum(mapOf(resources["requests"]), spec, `${field}.requests`, errors);
  validateLimit(mapOf(resources["limits"]), spec, field, errors);
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
      errors.push(
        cause.invalid(
          `${path}[${name}]`,
          String(amount),
          `must be greater than or equal to aggregate container requests of ${formatQuantity({ nanos, family })}`,
        ),
      );
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
        errors.push(
          cause.invalid(
            `${path}.containers[${at}][${name}].limits`,
            String(amount),
            `must be less than or equal to pod limits of ${String(limits[name])}`,
          ),
        );
      }
    }
  }
}

function nanosOf(amount: unknown): bigint | undefined {
  return parseQuantity(amount)?.nanos;
}
