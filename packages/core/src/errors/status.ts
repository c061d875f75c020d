import type { ListMeta } from "@typekube/api/meta/v1";
import { isJsonObject } from "../objects/json-value.js";

/** One cause of a failure, about one field or one circumstance. */
export interface StatusCause {
  /** Machine-readable type of the cause, such as `FieldValueRequired`. */
  reason?: string | undefined;
  /** Description of the cause for people. */
  message?: string | undefined;
  /** Path of the field at fault: `spec.containers[0].image`. */
  field?: string | undefined;
}

/** Details of a failure. */
export interface StatusDetails {
  /** Name of the object. */
  name?: string | undefined;
  /** API group of the object. */
  group?: string | undefined;
  /** Resource (`pods`) or kind. */
  kind?: string | undefined;
  /** UID of the object. */
  uid?: string | undefined;
  /** Individual causes: one per invalid field or conflict. */
  causes?: StatusCause[] | undefined;
  /** Seconds after which the client should retry. */
  retryAfterSeconds?: number | undefined;
}

/** A response of the API that is not a resource object: an error, or the result of a delete. */
export interface Status {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ListMeta | undefined;
  /** `Success` or `Failure`. */
  status?: string | undefined;
  /** Description for people. */
  message?: string | undefined;
  /** Machine-readable reason of a failure, such as `NotFound`. */
  reason?: string | undefined;
  /** Object, causes and advice of a failure. */
  details?: StatusDetails | undefined;
  /** HTTP status that belongs to the Status. */
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
