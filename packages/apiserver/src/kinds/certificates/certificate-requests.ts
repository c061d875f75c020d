import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause, invalid } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { userInfo } from "../../objects/user.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";

const decisions = ["Approved", "Denied"] as const;
const name = (type: string) => `conditions[{"type": "${type}"}]`;

const requestorFields = ["username", "uid", "groups", "extra"];

/** Sets the requesting user of a new CertificateSigningRequest, whatever the object contains. */
export function withRequestor(request: ApiObject, { user }: StrategyWrite): ApiObject {
  const { username, uid, groups, extra } = userInfo(user ?? { name: "", groups: [] });
  const given = isJsonObject(request["spec"]) ? request["spec"] : {};
  const requestor = Object.entries({ username, uid, groups, extra }).filter(
    ([, value]) => value !== undefined,
  );
  const kept = Object.entries(given).filter(([key]) => !requestorFields.includes(key));
  return { ...request, spec: Object.fromEntries([...kept, ...requestor]) };
}

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
  const causes = collectErrors((found) =>
    validateDecision(conditionsOf(request), conditionsOf(old), subresource, found),
  );
  if (causes.length > 0) {
    throw invalid(
      { group: "certificates.k8s.io", kind: "CertificateSigningRequest" },
      request.metadata.name ?? "",
      causes,
    );
  }
  return { ...request, spec: old["spec"] };
}

function validateDecision(
  now: readonly JsonObject[],
  before: readonly JsonObject[],
  subresource: string,
  errors: FieldErrors,
): void {
  const field = "status.conditions";
  const has = (conditions: readonly JsonObject[], wanted: string) =>
    conditions.some(({ type }) => type === wanted);
  for (const type of [...decisions, "Failed"]) {
    if (has(before, type) && !has(now, type)) {
      errors.push(
        cause.forbidden(
          field,
          `updates may not remove a condition of type ${JSON.stringify(type)}`,
        ),
      );
    }
  }
  for (const type of decisions) {
    if (subresource !== "approval" && has(now, type) && !has(before, type)) {
      errors.push(
        cause.forbidden(field, `updates may not add a condition of type ${JSON.stringify(type)}`),
      );
    }
  }
  now.forEach(({ type, status }, at) => {
    if (decisions.some((one) => one === type) && status !== "True") {
      errors.push(cause.notSupported(`${field}[${at}].status`, status, ["True"]));
    }
  });
  if (decisions.every((type) => has(now, type))) {
    const both = decisions.map(name);
    const why = `must specify at most one of: ${both.map((one) => `\`${one}\``).join(", ")}`;
    errors.push(cause.invalid(field, `{${both.join(", ")}}`, why));
  }
}

function conditionsOf(object: ApiObject): JsonObject[] {
  const conditions = getPath(object, "status", "conditions");
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
}
