import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { validateQualifiedName } from "../../phases/validate/checks.js";
import { qualifiedNameTexts } from "../../phases/validate/name-texts.js";

const standard = ["cpu", "ephemeral-storage", "memory"];

/** Nanos of the quantity 1. */
export const nanosPerUnit = 1_000_000_000n;

/** Appends the field errors of a container's requests and limits. */
export function validateResources(resources: JsonObject, path: string, errors: FieldErrors): void {
  const limits = mapOf(resources["limits"]);
  const requests = mapOf(resources["requests"]);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  for (const [name, limit] of Object.entries(limits)) {
    validateAmount(name, limit, `${path}.limits[${name}]`, errors);
  }
  for (const [name, request] of Object.entries(requests)) {
    validateAmount(name, request, `${path}.requests[${name}]`, errors);
    validateRequest(name, request, limits[name], path, errors);
  }
  const hasHugePages = names.some((name) => name.startsWith("hugepages-"));
  if (hasHugePages && !names.includes("cpu") && !names.includes("memory")) {
    errors.push(cause.forbidden(path, "HugePages require cpu or memory"));
  }
}

/** Checks a request against the limit, which only some resources may leave out or undercut. */
function validateRequest(
  name: string,
  request: unknown,
  limit: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const isFlexible = standard.includes(name);
  const most = parseQuantity(limit)?.nanos;
  const wanted = parseQuantity(request)?.nanos ?? most;
  if (most === undefined || wanted === undefined) {
    if (!isFlexible) {
      const why = "Limit must be set for non overcommitable resources";
      errors.push(cause.required(`${path}.limits`, why));
    }
  } else if (isFlexible ? wanted > most : wanted !== most) {
    const why = `must be ${isFlexible ? "less than or equal" : "equal"} to ${name} limit of ${String(limit)}`;
    errors.push(cause.invalid(`${path}.requests`, String(request), why));
  }
}

function validateAmount(name: string, amount: unknown, path: string, errors: FieldErrors): void {
  const count = errors.length;
  validateContainerResource(name, path, errors);
  if (errors.length > count) {
    return;
  }
  const isCounted = !standard.includes(name) && !name.startsWith("hugepages-");
  const nanos = parseQuantity(amount)?.nanos ?? 0n;
  if (nanos < 0n) {
    errors.push(cause.invalid(path, amount, "must be greater than or equal to 0"));
  }
  if (isCounted && nanos % nanosPerUnit !== 0n) {
    errors.push(cause.invalid(path, amount, "must be an integer"));
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
  validateQualifiedName(name, path, errors);
  if (!isKnown && qualifiedNameTexts(name).length === 0) {
    errors.push(cause.invalid(path, name, "must be a standard resource type or fully qualified"));
  }
}
