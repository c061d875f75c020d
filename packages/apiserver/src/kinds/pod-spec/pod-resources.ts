import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateResource } from "../fields/resource-amounts.js";

/** Returns the field errors of pod-level resources, which must accommodate those of the containers. */
export function validatePodResource(spec: JsonObject, path: string): FieldErrors {
  const { resources } = spec;
  if (!isJsonObject(resources)) {
    return [];
  }
  const field = `${path}.resources`;
  return [
    ...validateResource(resources, field),
    ...validateRequestSum(mapOf(resources["requests"]), spec, `${field}.requests`),
    ...validateLimit(mapOf(resources["limits"]), spec, field),
  ];
}

function validateRequestSum(requests: JsonObject, spec: JsonObject, field: string): FieldErrors {
  const running = [
    ...objectsOf(spec["containers"]),
    ...objectsOf(spec["initContainers"]).filter((one) => one["restartPolicy"] === "Always"),
  ];
  return Object.entries(requests).flatMap(([name, amount]) => {
    const nanos = running.reduce(
      (sum, one) => sum + (nanosOf(mapOf(mapOf(one["resources"])["requests"])[name]) ?? 0n),
      0n,
    );
    const family = name === "memory" ? "binary" : "decimal";
    return (nanosOf(amount) ?? 0n) < nanos
      ? [
          cause.invalid(
            `${field}[${name}]`,
            String(amount),
            `must be greater than or equal to aggregate container requests of ${formatQuantity({ nanos, family })}`,
          ),
        ]
      : [];
  });
}

function validateLimit(limits: JsonObject, spec: JsonObject, field: string): FieldErrors {
  return objectsOf(spec["containers"]).flatMap((one, at) =>
    Object.entries(mapOf(mapOf(one["resources"])["limits"])).flatMap(([name, amount]) => {
      const most = nanosOf(limits[name]);
      return most !== undefined && (nanosOf(amount) ?? 0n) > most
        ? [
            cause.invalid(
              `${field}.containers[${at}][${name}].limits`,
              String(amount),
              `must be less than or equal to pod limits of ${String(limits[name])}`,
            ),
          ]
        : [];
    }),
  );
}

function nanosOf(amount: unknown): bigint | undefined {
  return parseQuantity(amount)?.nanos;
}
