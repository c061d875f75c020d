import type { ListMeta } from "@typekube/api/meta/v1";
import { isJsonObject } from "./patch/json-value.js";

/** One cause of a failure, about one field or one circumstance. */
export interface StatusCause {
  reason?: string | undefined;
  message?: string | undefined;
  /** Path of the field at fault: `spec.containers[0].image`. */
  field?: string | undefined;
}

/** Details of a failure. */
export interface StatusDetails {
  name?: string | undefined;
  group?: string | undefined;
  /** Resource (`pods`) or kind. */
  kind?: string | undefined;
  uid?: string | undefined;
  causes?: StatusCause[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** A response of the API that is not a resource object: an error, or the result of a delete. */
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

/** Returns whether a decoded body is a Status. Some gateways omit its apiVersion. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== "object" || value === null || (value as Status).kind !== "Status") {
    return false;
  }
  const { apiVersion } = value as Status;
  return apiVersion === undefined || apiVersion === "v1" || apiVersion === "meta.k8s.io/v1";
}

type TypeChecks = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown) => typeof value === "string";

const statusFields: TypeChecks = {
  kind: isText,
  apiVersion: isText,
  metadata: isJsonObject,
  status: isText,
  message: isText,
  reason: isText,
  details: isJsonObject,
  code: Number.isSafeInteger,
};

const detailFields: TypeChecks = {
  name: isText,
  group: isText,
  kind: isText,
  uid: isText,
  causes: Array.isArray,
  retryAfterSeconds: Number.isSafeInteger,
};

const causeFields: TypeChecks = { reason: isText, message: isText, field: isText };

/** Copies a Status, without the fields whose values do not have the declared type. */
export function wellTypedStatus(value: Status): Status {
  const status = wellTyped(value, statusFields);
  if (status.metadata) {
    status.metadata = wellTyped(status.metadata, { continue: isText });
  }
  if (status.details) {
    status.details = wellTyped(status.details, detailFields);
    const { causes } = status.details;
    if (causes) {
      const objects = causes.filter((cause) => isJsonObject(cause));
      status.details.causes = objects.map((cause) => wellTyped(cause, causeFields));
    }
  }
  return status;
}

function wellTyped<T extends object>(object: T, checks: TypeChecks): T {
  const isKept = ([name, value]: [string, unknown]) =>
    value === undefined || !Object.hasOwn(checks, name) || checks[name]?.(value);
  return Object.fromEntries(Object.entries(object).filter(isKept)) as T;
}
