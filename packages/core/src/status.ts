import type { ListMeta } from "@typekube/api/meta/v1";

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

/** Returns whether a decoded body is a Status. Some gateways leave its apiVersion out. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== "object" || value === null || (value as Status).kind !== "Status") {
    return false;
  }
  const { apiVersion } = value as Status;
  return apiVersion === undefined || apiVersion === "v1" || apiVersion === "meta.k8s.io/v1";
}
