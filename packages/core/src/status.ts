import type { ListMeta } from "@typekube/api/meta/v1";
import { isJsonObject } from "./patch/json-value.js";

/** One reason of a failure, about one field or one circumstance. */
export interface StatusCause {
  reason?: string | undefined;
  message?: string | undefined;
  /** The field at fault as a path: `spec.containers[0].image`. */
  field?: string | undefined;
}

/** What a failure is about. */
export interface StatusDetails {
  name?: string | undefined;
  group?: string | undefined;
  /** The resource (`pods`) or the kind. */
  kind?: string | undefined;
  uid?: string | undefined;
  causes?: StatusCause[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The API's answer that is not an object: an error, or the outcome of a delete. */
export interface Status {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ListMeta | undefined;
  status?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  details?: StatusDetails | undefined;
  code?: number | undefined;
}

/** Whether a decoded body is a Status. */
export function isStatus(value: unknown): value is Status {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as Status).kind === "Status" &&
    ((value as Status).apiVersion === "v1" || (value as Status).apiVersion === "meta.k8s.io/v1")
  );
}

/** The fields of a Status that have the types they must have; a field of another type counts as absent. */
export function wellTypedStatus(value: Status): Status {
  const { apiVersion, kind, metadata, status, message, reason, details, code } = value;
  return withoutUndefined({
    kind: text(kind),
    apiVersion: text(apiVersion),
    metadata: isJsonObject(metadata) ? wellTypedMetadata(metadata) : undefined,
    status: text(status),
    message: text(message),
    reason: text(reason),
    details: isJsonObject(details) ? wellTypedDetails(details) : undefined,
    code: wholeNumber(code),
  });
}

function wellTypedMetadata(metadata: ListMeta): ListMeta {
  return withoutUndefined({ ...metadata, continue: text(metadata.continue) });
}

function wellTypedDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return withoutUndefined({
    name: text(name),
    group: text(group),
    kind: text(kind),
    uid: text(uid),
    causes: Array.isArray(causes)
      ? causes
          .filter(isJsonObject)
          .map(({ reason, message, field }) =>
            withoutUndefined({ reason: text(reason), message: text(message), field: text(field) }),
          )
      : undefined,
    retryAfterSeconds: wholeNumber(retryAfterSeconds),
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
