import type { StatusCause } from "@typekube/core";
import { cause, invalid } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import type { Write } from "../phases/write/write.js";
import { userInfo } from "../request/user.js";

const decisions = ["Approved", "Denied"] as const;
const name = (type: string) => `conditions[{"type": "${type}"}]`;

/**
 * Applies the special rules of CertificateSigningRequests: the server sets the requesting user, whatever the object
 * contains, and approval or denial is final.
 *
 * @throws {StatusError} 422 for a decision that is removed, made twice or made outside the `approval` subresource.
 */
export function asCertificateRequest(
  { request }: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): ApiObject {
  const { resource, subresource, user } = request;
  if (resource.storage !== "certificatesigningrequests.certificates.k8s.io") {
    return object;
  }
  if (before === undefined) {
    const { username, uid, groups, extra } = userInfo(user ?? { name: "", groups: [] });
    const given = isJsonObject(object["spec"]) ? object["spec"] : {};
    const asker = Object.entries({ username, uid, groups, extra }).filter(
      ([, value]) => value !== undefined,
    );
    const kept = Object.entries(given).filter(
      ([key]) => !["username", "uid", "groups", "extra"].includes(key),
    );
    return { ...object, spec: Object.fromEntries([...kept, ...asker]) };
  }
  const causes = validateDecision(conditionsOf(object), conditionsOf(before), subresource);
  if (causes.length > 0) {
    throw invalid(resource, object.metadata.name ?? "", causes);
  }
  // The spec is immutable after creation.
  return { ...object, spec: before["spec"] };
}

function validateDecision(
  now: readonly JsonObject[],
  before: readonly JsonObject[],
  subresource: string,
): StatusCause[] {
  const field = "status.conditions";
  const has = (conditions: readonly JsonObject[], wanted: string) =>
    conditions.some(({ type }) => type === wanted);
  const causes: StatusCause[] = [];
  for (const type of [...decisions, "Failed"]) {
    if (has(before, type) && !has(now, type)) {
      causes.push(
        cause.forbidden(
          field,
          `updates may not remove a condition of type ${JSON.stringify(type)}`,
        ),
      );
    }
  }
  for (const type of decisions) {
    if (subresource !== "approval" && has(now, type) && !has(before, type)) {
      causes.push(
        cause.forbidden(field, `updates may not add a condition of type ${JSON.stringify(type)}`),
      );
    }
  }
  now.forEach(({ type, status }, at) => {
    if (decisions.some((one) => one === type) && status !== "True") {
      causes.push(cause.notSupported(`${field}[${at}].status`, status, ["True"]));
    }
  });
  if (decisions.every((type) => has(now, type))) {
    const both = decisions.map(name);
    const why = `must specify at most one of: ${both.map((one) => `\`${one}\``).join(", ")}`;
    causes.push(cause.invalid(field, `{${both.join(", ")}}`, why));
  }
  return causes;
}

function conditionsOf(object: ApiObject): JsonObject[] {
  const conditions = getPath(object, "status", "conditions");
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
}
