import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { validateQualifiedName } from "../../phases/validate/checks.js";

const standard = ["cpu", "ephemeral-storage", "memory"];
const nano = 1_000_000_000n;

/** Appends the field errors of a container's requests and limits. */
export function validateResource(resources: JsonObject, path: string, errors: FieldErrors): void {
  const limits = mapOf(resources["limits"]);
  const requests = mapOf(resources["requests"]);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const needsMore =
    names.some((name) => name.startsWith("hugepages-")) &&
    !names.some((name) => name === "cpu" || name === "memory");
  for (const name of Object.keys(limits)) {
    validateAmount(limits, name, `${path}.limits[${name}]`, errors);
  }
  for (const name of Object.keys(requests)) {
    validateAmount(requests, name, `${path}.requests[${name}]`, errors);
    validateBound(name, requests[name], limits[name], path, errors);
  }
  if (needsMore) {
    errors.push(cause.forbidden(path, "HugePages require cpu or memory"));
  }
}

function validateBound(
  name: string,
  request: unknown,
  limit: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const most = parseQuantity(limit);
  const wanted = parseQuantity(request);
  if (most === undefined) {
    if (!canExceed(name)) {
      errors.push(
        cause.required(`${path}.limits`, "Limit must be set for non overcommitable resources"),
      );
    }
    return;
  }
  if (wanted === undefined || wanted.nanos === most.nanos) {
    return;
  }
  if (!canExceed(name)) {
    const why = `must be equal to ${name} limit of ${String(limit)}`;
    errors.push(cause.invalid(`${path}.requests`, String(request), why));
    return;
  }
  const why = `must be less than or equal to ${name} limit of ${String(limit)}`;
  if (wanted.nanos > most.nanos) {
    errors.push(cause.invalid(`${path}.requests`, String(request), why));
  }
}

function canExceed(name: string): boolean {
  return standard.includes(name);
}

function validateAmount(
  amounts: JsonObject,
  name: string,
  path: string,
  errors: FieldErrors,
): void {
  const isPlain = standard.includes(name) || name.startsWith("hugepages-");
  const wrong: FieldErrors = [];
  validateContainerResource(name, path, wrong);
  if (wrong.length > 0) {
    errors.push(...wrong);
    return;
  }
  const nanos = parseQuantity(amounts[name])?.nanos ?? 0n;
  if (nanos < 0n) {
    errors.push(cause.invalid(path, amounts[name], "must be greater than or equal to 0"));
  }
  if (!isPlain && nanos % nano !== 0n) {
    errors.push(cause.invalid(path, amounts[name], "must be an integer"));
  }
}

/** Appends the field errors of a resource name used in a container. */
export function validateContainerResource(name: string, path: string, errors: FieldErrors): void {
  const isKnown = standard.includes(name) || name.startsWith("hugepages-") || name.includes("/");
  validateResourceName(name, path, errors, isKnown);
  if (!isKnown) {
    errors.push(cause.invalid(path, name, "must be a standard resource for containers"));
  }
}

/** Appends the field errors of a resource name, which must be standard or fully qualified. */
export function validateResourceName(
  name: string,
  path: string,
  errors: FieldErrors,
  isKnown: boolean,
): void {
  const wrong: FieldErrors = [];
  validateQualifiedName(name, path, wrong);
  if (wrong.length > 0 || isKnown) {
    errors.push(...wrong);
  } else {
    errors.push(cause.invalid(path, name, "must be a standard resource type or fully qualified"));
  }
}
