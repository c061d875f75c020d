import type { Status, StatusCause } from "@typekube/core";

/** Details of a denial. */
export interface DenyOptions {
  /** HTTP status for the user. Default 403, or 422 with `field` or `causes`. */
  readonly code?: number | undefined;
  /** Reason for programs, such as `Conflict`. Default: that of the code. */
  readonly reason?: string | undefined;
  /** Path of the field at fault: `spec.host`. Becomes a cause with the message of the denial. */
  readonly field?: string | undefined;
  /** One cause per field at fault. */
  readonly causes?: readonly StatusCause[] | undefined;
}

/** The denial of a request. */
export interface Denial {
  readonly allowed: false;
  readonly status: Status;
}

/** Reasons of the API by HTTP status. (apimachinery `StatusReason`) */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Returns a Status of a failure. */
export function failureStatus(
  code: number,
  message: string,
  { reason = reasons[code], causes = [] }: Pick<DenyOptions, "causes" | "reason"> = {},
): Status {
  return {
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(causes.length === 0 ? {} : { details: { causes: [...causes] } }),
    code,
  };
}

/** Returns a denial. kubectl prints causes only under the reason `Invalid`, so a field makes that the default. */
export function denialOf(
  message: string,
  { code, reason, field, causes = [] }: DenyOptions = {},
): Denial {
  const all: StatusCause[] = [
    ...(field === undefined ? [] : [{ reason: "FieldValueInvalid", message, field }]),
    ...causes,
  ];
  const status = failureStatus(code ?? (all.length > 0 ? 422 : 403), message, {
    reason,
    causes: all,
  });
  return { allowed: false, status };
}

/** Returns the HTTP status that belongs to a reason of the API; `undefined` for any other code. */
export function httpStatusOf(reason: string): number | undefined {
  const special: Readonly<Record<string, number>> = { AlreadyExists: 409, Expired: 410 };
  const known = Object.entries(reasons).find(([, name]) => name === reason)?.[0];
  return special[reason] ?? (known === undefined ? undefined : Number(known));
}
