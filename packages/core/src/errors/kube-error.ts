import { inspect } from "node:util";
import { harmless } from "./harmless-text.js";
import type { Status, StatusCause } from "./status.js";

/**
 * All codes of a {@link KubeError}, grouped by their origin.
 *
 * The server's codes are the API's own reasons. If a server sends no Status, the code follows from the HTTP status, by
 * the table in `status-error.ts`.
 */
export const kubeErrorCodes = [
  // Reported by the server.
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
  // Caused by the network.
  "ConnectionClosed",
  "ConnectionRefused",
  "ConnectionReset",
  "ConnectionTimeout",
  "HostNotFound",
  "NetworkError",
  "Tls",
  // The received data cannot be used.
  "Decode",
  "NotKubernetes",
  "TooLarge",
  // The call exceeded its deadline, or the caller ended it.
  "Aborted",
  "Closed",
  "DeadlineExceeded",
  // A command in a container ended with an exit code other than 0.
  "CommandFailed",
  // The requested state cannot be reached: a condition can no longer be met, or pods block a drain.
  "NeverMet",
  // A controller cannot go on: another controller owns the object, another process leads, or a retry cannot help.
  "AlreadyOwned",
  "LeadershipLost",
  "Terminal",
  // The caller's input is invalid, or the call does not fit what the object is doing.
  "Config",
  "InvalidArgument",
  "InvalidState",
] as const;

/** Code of a {@link KubeError}. The set is closed: a `switch` over it is exhaustive. */
export type KubeErrorCode = (typeof kubeErrorCodes)[number];

/** The failed request, without any secrets. */
export interface KubeErrorRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** `Audit-Id` of the response, which identifies the request in the server's audit log. */
  readonly auditId?: string | undefined;
  /** UID of the FlowSchema that the server matched the request to. */
  readonly flowSchemaUid?: string | undefined;
  /** UID of the PriorityLevelConfiguration that the server assigned to the request. */
  readonly priorityLevelUid?: string | undefined;
}

/** Details of a failure, in addition to its code and message. */
export interface KubeErrorOptions {
  /** Error that caused this one. Default: none. */
  readonly cause?: unknown;
  /** Advice for the reader; appended to the message. */
  readonly hint?: string | undefined;
  /** The server's Status, without values of Secrets. */
  readonly status?: Status | undefined;
  /** HTTP status of the response. */
  readonly httpStatus?: number | undefined;
  /** Delay in milliseconds that the server requests. */
  readonly retryAfterMs?: number | undefined;
  /** The failed request; its method and path are appended to the message. */
  readonly request?: KubeErrorRequest | undefined;
}

/** Marks a KubeError of any copy of this package. */
const brand: unique symbol = Symbol.for("typekube.KubeError") as never;

/**
 * The one error type that TypeKube throws. Programs should check `code`; the message starts with the code and is for
 * people. `instanceof` works across copies of the package.
 *
 * An aborted call rejects with the reason of the signal that aborted it, which is not a KubeError. The message never
 * contains control characters that a terminal would interpret, whatever text came from a server, a file or a plugin.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  /** Kind of the failure: the API's reason for an error of the server, otherwise one of TypeKube's own codes. */
  readonly code: KubeErrorCode;
  /** Message without the code in front, the request and the hint. */
  readonly rawMessage: string;
  /** Advice for the reader, as at the end of the message. */
  readonly hint: string | undefined;
  /** The server's Status, without values of Secrets; `undefined` when the server sent none. */
  readonly status: Status | undefined;
  /** HTTP status of the response, or `code` of a Status inside a stream; `undefined` without either. */
  readonly httpStatus: number | undefined;
  /** Milliseconds after which the server advises to retry; `undefined` when it gives no advice. */
  readonly retryAfterMs: number | undefined;
  /** The failed request, without secrets; `undefined` when the failure belongs to no request. */
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

  /** Causes that the server names: one per field for `Invalid`, one per manager for an apply conflict. */
  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }

  /**
   * Converts any caught value to a KubeError. Returns a KubeError unchanged. An `AbortError` or `TimeoutError` becomes
   * `Aborted`; anything else gets `code`.
   */
  static from(error: unknown, code: KubeErrorCode = "Unknown"): KubeError {
    return kubeErrorFrom(error, code);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the tested class may be a subclass
    return isInstance(value, this);
  }
}

/** A class that extends KubeError inherits this test, but not every KubeError is an instance of that class. */
function isInstance(value: unknown, requested: object): boolean {
  return Object.hasOwn(requested, Symbol.hasInstance)
    ? typeof value === "object" && value !== null && brand in value
    : Function.prototype[Symbol.hasInstance].call(requested, value);
}

// Outside of the class: the bundler renames a class that refers to itself in its body, and Node prints the class's
// name.
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
