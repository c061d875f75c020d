import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { invalid } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import type { StrategyWrite } from "../../../resources/kind-strategy.js";

const decisions = ["Approved", "Denied"] as const;

/**
 * Keeps the spec, which is immutable after creation.
 *
 * @throws {StatusError} 422 for a decision that is removed, made twice or made outside the `approval` subresource.
 */
export function withOldRequest(
  request: ApiObject,
  old: ApiObject,
  { subresource }: StrategyWrite,
): ApiObject {
  const errors: FieldErrors = [];
  validateDecision(conditionsOf(request), conditionsOf(old), subresource, errors);
  if (errors.length > 0) {
    throw invalid(
      { group: "certificates.k8s.io", kind: "CertificateSigningRequest" },
      request.metadata.name ?? "",
      errors,
    );
  }
  return { ...request, spec: old["spec"] };
}

function validateDecision(
  conditions: readonly JsonObject[],
  old: readonly JsonObject[],
  subresource: string,
  errors: FieldErrors,
): void {
  const path = "status.conditions";
  for (const type of [...decisions, "Failed"]) {
    if (has(old, type) && !has(conditions, type)) {
      const why = `updates may not remove a condition of type ${JSON.stringify(type)}`;
      errors.push(cause.forbidden(path, why));
    }
  }
  for (const type of decisions) {
    if (subresource !== "approval" && has(conditions, type) && !has(old, type)) {
      const why = `updates may not add a condition of type ${JSON.stringify(type)}`;
      errors.push(cause.forbidden(path, why));
    }
  }
  for (const [at, { type, status }] of conditions.entries()) {
    if (decisions.some((one) => one === type) && status !== "True") {
      errors.push(cause.notSupported(`${path}[${at}].status`, status, ["True"]));
    }
  }
  if (decisions.every((type) => has(conditions, type))) {
    const both = decisions.map((type) => `conditions[{"type": "${type}"}]`);
    const why = `must specify at most one of: ${both.map((one) => `\`${one}\``).join(", ")}`;
    errors.push(cause.invalid(path, `{${both.join(", ")}}`, why));
  }
}

function has(conditions: readonly JsonObject[], wanted: string): boolean {
  return conditions.some(({ type }) => type === wanted);
}

function conditionsOf(object: ApiObject): JsonObject[] {
  const conditions = getPath(object, "status", "conditions");
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
}
