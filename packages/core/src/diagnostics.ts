import { type Channel, channel } from "node:diagnostics_channel";

/**
 * What TypeKube tells about itself on `node:diagnostics_channel`, by the name of the channel. A channel that nobody
 * subscribed to costs one comparison. No event holds a body, a query, a header or a secret.
 */
export interface DiagnosticsEvents {
  /** A call of the caller begins; retries belong to it. */
  "typekube:request.start": RequestStarted;
  /** One attempt was answered; the body may still be on its way. */
  "typekube:request.response": ResponseReceived;
  /** An attempt did not do and will be repeated. */
  "typekube:request.retry": RequestRetried;
  /** A call failed without an answer. */
  "typekube:request.error": RequestFailed;
  /** A call is over: its caller has the headers of the last answer, or the error. Once per call, after its other events. */
  "typekube:request.end": RequestEnded;
  /** Credentials were obtained anew, or that failed. */
  "typekube:auth.refresh": CredentialsRefreshed;
  /** A resource is spoken to in another encoding from now on. */
  "typekube:decode.downgrade": EncodingDowngraded;
  /** An entry of discovery was left out. */
  "typekube:discovery.skipped": DiscoveryEntrySkipped;
  /** A watcher went from one state to another. */
  "typekube:watch.state": WatchStateChanged;
}

/** One call, the same object in all of its events: a key for a `WeakMap` of spans or start times. */
export interface RequestIdentity {
  readonly method: string;
  /** The Kubernetes verb: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the method in lower case elsewhere. */
  readonly verb: string;
  /** The path with `{namespace}` and `{name}` in place of theirs and without the query, so that it can be a metric's label. */
  readonly urlTemplate: string;
  /** `https://host:port`. */
  readonly server: string;
  /** `apps/v1`; absent where the path is none of a resource, as are the following. */
  readonly apiVersion?: string | undefined;
  /** `deployments`. */
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Of `typekube:request.start`. */
export interface RequestStarted {
  readonly request: RequestIdentity;
  /**
   * Adds a header to each attempt of the call, for the context of a trace. Only while the event is told, never in place of a
   * header that the request has, and none that says who it is from.
   *
   * @throws {KubeError} `InvalidArgument` for `authorization` and `impersonate-*`, and once the event was told.
   */
  addHeader(name: string, value: string): void;
}

/** Of `typekube:request.response`. */
export interface ResponseReceived {
  readonly request: RequestIdentity;
  readonly status: number;
  /** 1 for the first. */
  readonly attempt: number;
  readonly durationMs: number;
  /** `Audit-Id` of the answer. */
  readonly auditId?: string | undefined;
  /** UID of the FlowSchema that the server sorted the request by. */
  readonly flowSchemaUid?: string | undefined;
  /** UID of the PriorityLevelConfiguration that the request waited in. */
  readonly priorityLevelUid?: string | undefined;
}

/** Of `typekube:request.retry`. */
export interface RequestRetried {
  readonly request: RequestIdentity;
  /** The attempt that did not do, 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The answer's status; absent when there was none. */
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/** Of `typekube:request.error`. */
export interface RequestFailed {
  readonly request: RequestIdentity;
  /** The last one; 0 when none was made. */
  readonly attempt: number;
  /** Of the whole call. */
  readonly durationMs: number;
  /** A `KubeError`, or the reason of the signal that ended the call. */
  readonly error: unknown;
}

/** Of `typekube:request.end`. */
export interface RequestEnded {
  readonly request: RequestIdentity;
  readonly attempts: number;
  /** Of the whole call: waits and repetitions are in it, reading the body is not. */
  readonly durationMs: number;
  /** Of the last answer; absent when the call failed without one. */
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/** Of `typekube:auth.refresh`. */
export interface CredentialsRefreshed {
  /** The same object in all events of the same credentials: a key for a `WeakMap`. Nothing is in it. */
  readonly credentials: object;
  /** Where they come from: `exec`, `oidc`, `token-file`, `tls-files`. */
  readonly source: string;
  /** Why: they are the first, they end soon, or the server refused them. */
  readonly reason: "expiry" | "first" | "unauthorized" | "changed";
  readonly ok: boolean;
  readonly error?: unknown;
  /**
   * How an exec plugin failed: it may not run, is not there, ended with another exit code than 0, took too long, nobody waited
   * for it any more, or it printed no credentials.
   */
  readonly failure?: "aborted" | "denied" | "exit" | "missing" | "output" | "timeout" | undefined;
  /** When they end, in milliseconds since 1970; absent when they do not say. */
  readonly expiresAt?: number | undefined;
}

/** Of `typekube:decode.downgrade`. */
export interface EncodingDowngraded {
  readonly apiVersion: string;
  /** With the subresource behind it, and `(metadata)` for the metadata alone. */
  readonly resource: string;
  /** Whether the bodies of answers or those of requests. */
  readonly bodies: "answers" | "requests";
  readonly from: string;
  readonly to: string;
  /** `NotAcceptable`, `UnknownField` or `UnsupportedMediaType`. */
  readonly reason: string;
}

/** Of `typekube:discovery.skipped`. */
export interface DiscoveryEntrySkipped {
  readonly apiVersion: string;
  /** With the subresource behind it. */
  readonly resource: string;
  /** `InvalidName`: no path can have the group, the version or the resource. */
  readonly reason: "InvalidName";
}

/** Of `typekube:watch.state`. */
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
