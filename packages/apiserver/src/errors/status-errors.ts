import type { Status, StatusCause, StatusDetails } from "@typekube/core";
import { cause } from "./field-errors.js";

/** Group and plural name of a resource, as used in error messages. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** Group and kind, as used in validation errors. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A rejected request; the response is its Status. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;
  /** Warnings collected before the rejection. */
  warnings: readonly string[] = [];

  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }
}

/** Creates a failure Status with its keys in the order of real servers. */
export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: StatusDetails,
  metadata: Status["metadata"] = {},
): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata,
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

/** Formats a resource as `pods` or `deployments.apps`. */
export function qualified(group: string, name: string): string {
  return group === "" ? name : `${name}.${group}`;
}

function about(group: string, kind: string, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
  };
}

/** Returns a 404 for an object. */
export function notFound({ group, plural }: GroupResource, name: string): StatusError {
  const message = `${qualified(group, plural)} "${name}" not found`;
  return failure(404, "NotFound", message, about(group, plural, name));
}

/** Returns a 404 for an unknown path. */
export function noSuchResource(): StatusError {
  return failure(404, "NotFound", "the server could not find the requested resource", {});
}

/** Returns a 405. */
export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return failure(405, "MethodNotAllowed", message, {});
}

/** Returns a 405 with the message of the part of a server that serves custom resources. */
export function methodNotSupported({ group, plural }: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(qualified(group, plural))}`;
  return failure(405, "MethodNotAllowed", message, { group, kind: plural });
}

/** Returns a 409 for a name that is in use, with variants for an object being deleted and for a generated name. */
export function alreadyExists(
  { group, plural }: GroupResource,
  name: string,
  isBeingDeleted = false,
  isGenerated = false,
): StatusError {
  const plain = `${qualified(group, plural)} "${name}" already exists`;
  const message = isBeingDeleted ? `object is being deleted: ${plain}` : plain;
  const details = about(group, plural, name);
  if (!isGenerated) {
    return failure(409, "AlreadyExists", message, details);
  }
  const unlucky = `${message}, the server was not able to generate a unique name for the object`;
  return failure(409, "AlreadyExists", unlucky, { ...details, retryAfterSeconds: 1 });
}

/** Returns a 409 with a reason; default: a stale resourceVersion. */
export function conflict(
  group: string,
  resourceOrKind: string,
  name: string,
  why = "the object has been modified; please apply your changes to the latest version and try again",
): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(group, resourceOrKind)} "${name}": ${why}`;
  return failure(409, "Conflict", message, about(group, resourceOrKind, name));
}

/** Returns a 400. */
export function badRequest(message: string): StatusError {
  return failure(400, "BadRequest", message);
}

/** Returns a 500 for a failure inside of the server. */
export function internalError(why: string): StatusError {
  const message = `Internal error occurred: ${why}`;
  return failure(500, "InternalError", message, { causes: [{ message: why }] });
}

/** Returns a 403 with its causes. */
export function forbidden(
  { group, plural }: GroupResource,
  name: string,
  why: string,
  causes?: StatusCause[],
): StatusError {
  return failure(403, "Forbidden", `${qualified(group, plural)} "${name}" is forbidden: ${why}`, {
    ...about(group, plural, name),
    ...(causes === undefined ? {} : { causes }),
  });
}

/** Returns a 422 with one cause per field error; the message lists them. */
export function invalid(
  { group, kind }: GroupKind,
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const byLine = new Map(causes.map((one) => [`${one.field}: ${one.message}`, one]));
  const lines = [...byLine.keys()];
  const list = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  const message = `${qualified(group, kind)} "${name}" is invalid: ${list}`;
  return failure(422, "Invalid", message, {
    ...about(group, kind, name),
    causes: [...byLine.values()],
  });
}

/** Returns a 422 for a patch whose result can't be decoded; it does not identify the object. */
export function unreadablePatch(shown: string, why: string): StatusError {
  return invalid({ group: "", kind: "" }, "", [cause.invalid("patch", shown, why)]);
}

/** Returns a 422 for an options object, which has no name. */
export function invalidOptions(kind: string, causes: readonly StatusCause[]): StatusError {
  return invalid({ group: "meta.k8s.io", kind }, "", causes);
}

/** Returns a 410 for a resourceVersion that the history no longer contains. */
export function expired(message: string, continueToken?: string): StatusError {
  const metadata = continueToken === undefined ? {} : { continue: continueToken };
  return failure(410, "Expired", message, undefined, metadata);
}

/** Returns a 504 for a resourceVersion that the server has not reached. */
export function resourceVersionTooLarge(requested: bigint, current: bigint): StatusError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  return failure(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** Returns a 415. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return failure(415, "UnsupportedMediaType", message);
}

/** Returns a 413. */
export function entityTooLarge(why: string): StatusError {
  const message = `Request entity too large: ${why}`;
  return failure(413, "RequestEntityTooLarge", message);
}
