import { type Channel, channel } from "node:diagnostics_channel";

/**
 * Events that TypeKube publishes on `node:diagnostics_channel`, by channel name. A channel without subscribers costs
 * one comparison. No event contains a body, a query, a header or a secret.
 */
export interface DiagnosticsEvents {
  /** A call begins. Its retries belong to the same call. */
  "typekube:request.start": RequestStarted;
  /** An attempt received a response, whose body may still be arriving. */
  "typekube:request.response": ResponseReceived;
  /** An attempt was not successful and will be retried. */
  "typekube:request.retry": RequestRetried;
  /** A call failed without a response. */
  "typekube:request.error": RequestFailed;
  /**
   * A call is over: its caller has the headers of the last response, or the error. Published once per call, after its
   * other events.
   */
  "typekube:request.end": RequestEnded;
  /** Credentials were refreshed, or the refresh failed. */
  "typekube:auth.refresh": CredentialsRefreshed;
  /** The client switched to another encoding for a resource. */
  "typekube:decode.downgrade": EncodingDowngraded;
  /** A discovery entry was skipped. */
  "typekube:discovery.skipped": DiscoveryEntrySkipped;
  /** A watcher changed its state. */
  "typekube:watch.state": WatchStateChanged;
  /** A stream into a pod was opened: a session, a forwarded port, a log. */
  "typekube:stream.open": StreamOpened;
  /** A message of a stream was ignored. */
  "typekube:stream.ignored": StreamMessageIgnored;
  /** A stream into a pod has ended. Published once per stream. */
  "typekube:stream.close": StreamClosed;
  /** A controller queued a key. */
  "typekube:reconcile.queued": ReconcileQueued;
  /** A run of a controller begins. */
  "typekube:reconcile.start": ReconcileStarted;
  /** A run is over. Published once per run. */
  "typekube:reconcile.end": ReconcileEnded;
  /** A step of a run that may take time begins. */
  "typekube:reconcile.step.start": ReconcileStepStarted;
  /** A step of a run is over. */
  "typekube:reconcile.step.end": ReconcileStepEnded;
}

/**
 * Identifies one call. All events of the call contain the same object, so it can be the key of a `WeakMap` of spans or
 * start times.
 */
export interface RequestIdentity {
  readonly method: string;
  /**
   * Kubernetes verb: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other
   * requests, the method in lower case.
   */
  readonly verb: string;
  /**
   * Path without the query, with `{namespace}` and `{name}` in place of their values, so that it can be the label of a
   * metric.
   */
  readonly urlTemplate: string;
  /** `https://host:port`. */
  readonly server: string;
  /** `apps/v1`. Absent, like the following fields, when the path does not belong to a resource. */
  readonly apiVersion?: string | undefined;
  /** `deployments`. */
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Event of `typekube:request.start`. */
export interface RequestStarted {
  readonly request: RequestIdentity;
  /**
   * Adds a header to each attempt of the call, to propagate a trace context. Works only while the event is being
   * published. Never replaces a header of the request, and cannot set headers that state its identity.
   *
   * @throws {KubeError} `InvalidArgument` for `authorization` and `impersonate-*`, and after the event was published.
   */
  addHeader(name: string, value: string): void;
}

/** Event of `typekube:request.response`. */
export interface ResponseReceived {
  readonly request: RequestIdentity;
  readonly status: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** `Audit-Id` of the response. */
  readonly auditId?: string | undefined;
  /** UID of the FlowSchema that the server matched the request to. */
  readonly flowSchemaUid?: string | undefined;
  /** UID of the PriorityLevelConfiguration that the server assigned to the request. */
  readonly priorityLevelUid?: string | undefined;
}

/** Event of `typekube:request.retry`. */
export interface RequestRetried {
  readonly request: RequestIdentity;
  /** Number of the unsuccessful attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Status of the response; absent when there was no response. */
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/** Event of `typekube:request.error`. */
export interface RequestFailed {
  readonly request: RequestIdentity;
  /** Number of the last attempt; 0 when there was no attempt. */
  readonly attempt: number;
  /** Duration of the whole call. */
  readonly durationMs: number;
  /** A `KubeError`, or the reason of the signal that aborted the call. */
  readonly error: unknown;
}

/** Event of `typekube:request.end`. */
export interface RequestEnded {
  readonly request: RequestIdentity;
  readonly attempts: number;
  /** Duration of the whole call, including waits and retries but without reading the body. */
  readonly durationMs: number;
  /** Status of the last response; absent when the call failed without one. */
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/** Event of `typekube:auth.refresh`. */
export interface CredentialsRefreshed {
  /**
   * Identifies the credentials. All events of the same credentials contain the same empty object, so it can be the key
   * of a `WeakMap`.
   */
  readonly credentials: object;
  /** Source of the credentials: `exec`, `oidc`, `token-file`, `tls-files`. */
  readonly source: string;
  /**
   * Reason of the refresh: these are the first credentials, they expire soon, the server rejected them, or their file
   * changed.
   */
  readonly reason: "expiry" | "first" | "unauthorized" | "changed";
  readonly ok: boolean;
  readonly error?: unknown;
  /**
   * Failure of an exec plugin: not allowed to run (`denied`), not found (`missing`), exit code other than 0 (`exit`),
   * too slow (`timeout`), stopped because no call waited for it any more (`aborted`), or no credentials in its output
   * (`output`).
   */
  readonly failure?: "aborted" | "denied" | "exit" | "missing" | "output" | "timeout" | undefined;
  /** Expiry of the credentials in milliseconds since 1970; absent when they don't state one. */
  readonly expiresAt?: number | undefined;
}

/** Event of `typekube:decode.downgrade`. */
export interface EncodingDowngraded {
  readonly apiVersion: string;
  /** Resource, followed by its subresource, and by `(metadata)` for requests of metadata only. */
  readonly resource: string;
  /** Bodies that the switch applies to: those of responses (`answers`) or of requests. */
  readonly bodies: "responses" | "requests";
  readonly from: string;
  readonly to: string;
  /** `NotAcceptable`, `UnknownField` or `UnsupportedMediaType`. */
  readonly reason: string;
}

/** Event of `typekube:discovery.skipped`. */
export interface DiscoveryEntrySkipped {
  readonly apiVersion: string;
  /** Resource, followed by its subresource. */
  readonly resource: string;
  /** `InvalidName`: the group, the version or the resource cannot be part of a path. */
  readonly reason: "InvalidName";
}

/** Event of `typekube:watch.state`. */
export interface WatchStateChanged {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

/** Why an object is reconciled. */
export interface ReconcileCause {
  /** `add`, `update`, `delete`, `initial`, `resync`, `retry`, `requeue`, `source`, `trigger`. */
  readonly type: string;
  /** The object that changed: `apps/v1/Deployment prod/web`. */
  readonly object?: string | undefined;
}

/** Event of `typekube:reconcile.queued`. */
export interface ReconcileQueued {
  readonly controller: string;
  /** `namespace/name` of the object. */
  readonly key: string;
  /** The same object is among the causes of the run that follows, so it can be the key of a `WeakMap`. */
  readonly cause: ReconcileCause;
}

/** Identifies one run. All events of the run contain the same object, so it can be the key of a `WeakMap`. */
export interface ReconcileIdentity {
  readonly controller: string;
  /** `namespace/name` of the object. */
  readonly key: string;
  /** `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Absent when the object does not exist. */
  readonly uid?: string | undefined;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly priority: number;
  /** Milliseconds that the key was ready before the run. */
  readonly waitedMs: number;
  /** `run.reconcileId`: a UUID, also in the log of the run. */
  readonly reconcileId: string;
}

/** Runs a function inside of another one, such as OpenTelemetry's `context.with`. */
export type AroundWork = <T>(work: () => T) => T;

/** Event of `typekube:reconcile.start`. */
export interface ReconcileStarted {
  readonly run: ReconcileIdentity;
  readonly causes: readonly ReconcileCause[];
  /** Adds a function that the run is called in. Works only while the event is being published. */
  around(wrap: AroundWork): void;
}

/** Event of `typekube:reconcile.end`. */
export interface ReconcileEnded {
  readonly run: ReconcileIdentity;
  readonly durationMs: number;
  /** `aborted` when the manager stopped or lost its lease; otherwise the label of controller-runtime's metrics. */
  readonly result: "aborted" | "error" | "requeue" | "requeue_after" | "success";
  /** For `error` and `aborted`. */
  readonly error?: unknown;
  /** For `requeue`: what the run waits for. */
  readonly reason?: string | undefined;
  /** For `requeue_after`. */
  readonly requeueAfterMs?: number | undefined;
}

/** Identifies one step of a run. Both events of the step contain the same object. */
export interface ReconcileStep {
  /** `apply`: a call of `run.apply`. `cache wait`: the run waits until the caches have the writes of the last one. */
  readonly name: "apply" | "cache wait";
  /** Name of the controller. */
  readonly controller: string;
  /** For `apply`: the kind and the name of the object. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly object?: string | undefined;
}

/** Event of `typekube:reconcile.step.start`. */
export interface ReconcileStepStarted {
  readonly step: ReconcileStep;
  /** Adds a function that the step is called in. Works only while the event is being published. */
  around(wrap: AroundWork): void;
}

/** Event of `typekube:reconcile.step.end`. */
export interface ReconcileStepEnded {
  readonly step: ReconcileStep;
  readonly error?: unknown;
}

/** Identifies one stream into a pod. All events of the stream contain the same object. Commands and data are left out. */
export interface StreamIdentity {
  readonly kind: "attach" | "exec" | "log" | "portforward" | "proxy";
  readonly namespace: string;
  /** Name of the pod, or of another object for `proxy`. */
  readonly pod: string;
  readonly container?: string | undefined;
  /** Subprotocol of the WebSocket; `undefined` for a log. */
  readonly protocol?: string | undefined;
}

/** Event of `typekube:stream.open`. */
export interface StreamOpened {
  readonly stream: StreamIdentity;
}

/** Event of `typekube:stream.ignored`. */
export interface StreamMessageIgnored {
  readonly stream: StreamIdentity;
  /** Number of the unknown channel. */
  readonly channel: number;
}

/** Event of `typekube:stream.close`. */
export interface StreamClosed {
  readonly stream: StreamIdentity;
  /** Bytes by channel, such as `stdout`. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly durationMs: number;
  /** Reason of a stream that failed. */
  readonly error?: unknown;
}

/** Returns the typed channel of that name. Check `hasSubscribers` before creating an event. */
export function diagnostics<Name extends keyof DiagnosticsEvents>(
  name: Name,
): Channel<DiagnosticsEvents[Name]> {
  return channel(name) as Channel<DiagnosticsEvents[Name]>;
}
