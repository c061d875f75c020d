import { inspect } from "node:util";
import { harmless } from "./harmless-text.js";
import type { Status, StatusCause } from "./status.js";

/**
 * Every code that a {@link KubeError} can have, by whose doing it is.
 *
 * The server's codes are the API's own reasons; where a server sends no Status, the code follows the HTTP status by
 * the table in `status-error.ts`.
 */
export const kubeErrorCodes = [
  // The server said so.
  "AlreadyExists",
  "BadRequest",
  "Conflict",
  "Expired",
  "Forbidden",
  "Gone",
  "InternalError",
  "Invalid",
  "MethodNotAllowed",
  "NotAcceptable",
  "NotFound",
  "RequestEntityTooLarge",
  "ServerTimeout",
  "ServiceUnavailable",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "Unauthorized",
  "Unknown",
  "UnsupportedMediaType",
  // The network did.
  "ConnectionClosed",
  "ConnectionRefused",
  "ConnectionReset",
  "ConnectionTimeout",
  "HostNotFound",
  "NetworkError",
  "Tls",
  // What arrived cannot be used.
  "Decode",
  "NotKubernetes",
  "TooLarge",
  // It took longer than the caller allowed, or the caller ended it.
  "Aborted",
  "Closed",
  "DeadlineExceeded",
  // What was waited for can no longer come to pass.
  "NeverMet",
  // The caller's input cannot be used.
  "Config",
  "InvalidArgument",
] as const;

/** A closed set: `switch` over it is exhaustive. */
export type KubeErrorCode = (typeof kubeErrorCodes)[number];

/** The request that failed, without anything secret in it. */
export interface KubeErrorRequest {
  readonly method: string;
  /** The path; the query is left out. */
  readonly path: string;
  /** `Audit-Id` of the answer: what the server's audit log has the request under. */
  readonly auditId?: string | undefined;
  /** UID of the FlowSchema that the server sorted the request by. */
  readonly flowSchemaUid?: string | undefined;
  /** UID of the PriorityLevelConfiguration that the request waited in. */
  readonly priorityLevelUid?: string | undefined;
}

/** What is known of a failure besides its code and text. */
export interface KubeErrorOptions {
  readonly cause?: unknown;
  /** What the reader can do about it; ends the message. */
  readonly hint?: string | undefined;
  /** The decoded Status of the server. */
  readonly status?: Status | undefined;
  readonly httpStatus?: number | undefined;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly request?: KubeErrorRequest | undefined;
}

/** Marks a KubeError of any copy of this package. */
const brand: unique symbol = Symbol.for("typekube.KubeError") as never;

/**
 * The one error that TypeKube throws. `code` says what happened and is what programs should look at; the
 * message starts with it and is for people. `instanceof` holds across copies of the package.
 *
 * An aborted call fails with the reason of the signal that aborted it, which is not a KubeError. The message never holds control
 * characters that a terminal would act on, whatever a server, a file or a plugin wrote.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  readonly code: KubeErrorCode;
  /** The text without the code in front. */
  readonly rawMessage: string;
  /** What the reader can do about it, as the message ends. */
  readonly hint: string | undefined;
  readonly status: Status | undefined;
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: KubeErrorRequest | undefined;

  constructor(code: KubeErrorCode, message: string, options: KubeErrorOptions = {}) {
    const text = harmless(message);
    const at = options.request ? ` (${options.request.method} ${options.request.path})` : "";
    const shownHint = options.hint === undefined ? undefined : harmless(options.hint);
    const hint = shownHint ? `: ${shownHint}` : "";
    super(
      `[${code}] ${text}${at}${hint}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.rawMessage = text;
    this.hint = shownHint;
    this.status = options.status;
    this.httpStatus = options.httpStatus;
    this.retryAfterMs = options.retryAfterMs;
    this.request = options.request;
    Object.defineProperty(this, brand, { value: true });
  }

  /** What the server names as causes: one per field for `Invalid`, one per manager for an apply conflict. */
  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }

  /** Normalises anything caught. A KubeError is returned as it is, an abort becomes `Aborted`. */
  static from(error: unknown, code: KubeErrorCode = "Unknown"): KubeError {
    return kubeErrorFrom(error, code);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked may be one that extends this one
    return isInstance(value, this);
  }
}

/** A class that extends KubeError inherits its test, and not every KubeError is one of its own. */
function isInstance(value: unknown, requested: object): boolean {
  return Object.hasOwn(requested, Symbol.hasInstance)
    ? typeof value === "object" && value !== null && brand in value
    : Function.prototype[Symbol.hasInstance].call(requested, value);
}

// Outside of the class: a class that names itself in its body is renamed by the bundler, and Node prints the class's name.
function kubeErrorFrom(error: unknown, code: KubeErrorCode): KubeError {
  if (error instanceof KubeError) {
    return error;
  }
  if (error instanceof Error) {
    const aborted = error.name === "AbortError" || error.name === "TimeoutError";
    return new KubeError(aborted ? "Aborted" : code, error.message, { cause: error });
  }
  return new KubeError(code, typeof error === "string" ? error : inspect(error), { cause: error });
}
