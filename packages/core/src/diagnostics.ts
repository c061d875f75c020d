import { type Channel, channel } from "node:diagnostics_channel";

/**
 * What TypeKube tells about itself on `node:diagnostics_channel`, by the name of the channel. A channel that nobody
 * subscribed to costs one comparison. No event holds a body, a query, a header or a secret.
 */
export interface DiagnosticsEvents {
  /** A call of the caller begins; retries belong to it. */
  "typekube:request.start": RequestStarted;
  /** One attempt was answered; the body may still be on its way. */
  "typekube:request.response": RequestAnswered;
  /** An attempt will be repeated. */
  "typekube:request.retry": RequestRetried;
  /** A call failed without an answer. */
  "typekube:request.error": RequestFailed;
  /** Credentials were obtained anew, or that failed. */
  "typekube:auth.refresh": CredentialsRefreshed;
  /** A resource is spoken to in another encoding from now on. */
  "typekube:decode.downgrade": EncodingDowngraded;
  /** A watcher went from one state to another. */
  "typekube:watch.state": WatchStateChanged;
}

/** One call, the same object in all of its events: a key for a `WeakMap` of spans or start times. */
export interface RequestIdentity {
  readonly method: string;
  /** The Kubernetes verb: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the method in lower case elsewhere. */
  readonly verb: string;
  /** The path with `{namespace}` and `{name}` in place of theirs, so that it can be a metric's label. */
  readonly urlTemplate: string;
  /** `https://host:port`. */
  readonly server: string;
}

export interface RequestStarted {
  readonly request: RequestIdentity;
}

export interface RequestAnswered {
  readonly request: RequestIdentity;
  readonly status: number;
  /** 1 for the first. */
  readonly attempt: number;
  readonly durationMs: number;
  /** `Audit-ID` of the answer. */
  readonly auditId?: string | undefined;
}

export interface RequestRetried {
  readonly request: RequestIdentity;
  /** The attempt that did not do, 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The answer's status; absent when there was none. */
  readonly status?: number | undefined;
  readonly error?: unknown;
}

export interface RequestFailed {
  readonly request: RequestIdentity;
  readonly attempt: number;
  readonly durationMs: number;
  readonly error: unknown;
}

export interface CredentialsRefreshed {
  /** Where they come from: `exec`, `oidc`, `token-file`, `tls-files`. */
  readonly source: string;
  /** Why: they are the first, they end soon, or the server refused them. */
  readonly reason: "expiry" | "first" | "unauthorized" | "changed";
  readonly ok: boolean;
  readonly error?: unknown;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

export interface EncodingDowngraded {
  readonly apiVersion: string;
  readonly resource: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export interface WatchStateChanged {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

/** The channel of that name, typed. Ask `hasSubscribers` before making an event. */
export function diagnostics<Name extends keyof DiagnosticsEvents>(
  name: Name,
): Channel<DiagnosticsEvents[Name]> {
  return channel(name) as Channel<DiagnosticsEvents[Name]>;
}
