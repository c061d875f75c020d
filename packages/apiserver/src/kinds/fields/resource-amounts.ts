import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { qualifiedName } from "../../phases/validate/old-checks.js";

const standard = ["cpu", "ephemeral-storage", "memory"];
const nano = 1_000_000_000n;

/** Returns the field errors of a container's requests and limits. */
export function validateResource(resources: JsonObject, field: string): FieldErrors {
  const limits = mapOf(resources["limits"]);
  const requests = mapOf(resources["requests"]);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const needsMore =
    names.some((name) => name.startsWith("hugepages-")) &&
    !names.some((name) => name === "cpu" || name === "memory");
  return [
    ...Object.keys(limits).flatMap((name) =>
      validateAmount(limits, name, `${field}.limits[${name}]`),
    ),
    ...Object.keys(requests).flatMap((name) => [
      ...validateAmount(requests, name, `${field}.requests[${name}]`),
      ...validateBound(name, requests[name], limits[name], field),
    ]),
    ...(needsMore ? [cause.forbidden(field, "HugePages require cpu or memory")] : []),
  ];
}

function validateBound(name: string, request: unknown, limit: unknown, field: string): FieldErrors {
  const most = parseQuantity(limit);
  const wanted = parseQuantity(request);
  if (most === undefined) {
    return canExceed(name)
      ? []
      : [cause.required(`${field}.limits`, "Limit must be set for non overcommitable resources")];
  }
  if (wanted === undefined || wanted.nanos === most.nanos) {
    return [];
  }
  if (!canExceed(name)) {
    const why = `must be equal to ${name} limit of ${String(limit)}`;
    return [cause.invalid(`${field}.requests`, String(request), why)];
  }
  const why = `must be less than or equal to ${name} limit of ${String(limit)}`;
  return wanted.nanos > most.nanos
    ? [cause.invalid(`${field}.requests`, String(request), why)]
    : [];
}

function canExceed(name: string): boolean {
  return standard.includes(name);
}

function validateAmount(amounts: JsonObject, name: string, field: string): FieldErrors {
  const isPlain = standard.includes(name) || name.startsWith("hugepages-");
  const wrong = validateContainerResource(name, field);
  if (wrong.length > 0) {
    return wrong;
  }
  const nanos = parseQuantity(amounts[name])?.nanos ?? 0n;
  return [
    ...(nanos < 0n
      ? [cause.invalid(field, amounts[name], "must be greater than or equal to 0")]
      : []),
    ...(!isPlain && nanos % nano !== 0n
      ? [cause.invalid(field, amounts[name], "must be an integer")]
      : []),
  ];
}

/** Returns the field errors of a resource name used in a container. */
export function validateContainerResource(name: string, field: string): FieldErrors {
  const isKnown = standard.includes(name) || name.startsWith("hugepages-") || name.includes("/");
  return [
    ...validateResourceName(name, field, isKnown),
    ...(isKnown ? [] : [cause.invalid(field, name, "must be a standard resource for containers")]),
  ];
}

/** Returns the field errors of a resource name, which must be standard or fully qualified. */
export function validateResourceName(name: string, field: string, isKnown: boolean): FieldErrors {
  const wrong = qualifiedName(field, name);
  return wrong.length > 0 || isKnown
    ? wrong
    : [cause.invalid(field, name, "must be a standard resource type or fully qualified")];
}
