import { KubeError } from "@typekube/core";
import {
  type Clock,
  diagnostics,
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  type Interceptor,
  monotonicNow,
  type RequestIdentity,
  systemClock,
} from "@typekube/core/internal";
import { responseMarks } from "../response/response-marks.js";
import { requestIdentity } from "./request-identity.js";

const started = diagnostics("typekube:request.start");
const responded = diagnostics("typekube:request.response");
const retried = diagnostics("typekube:request.retry");
const failed = diagnostics("typekube:request.error");
const ended = diagnostics("typekube:request.end");

/** A call that diagnostics subscribers observe. */
interface ObservedCall {
  readonly identity: RequestIdentity;
  /** Attempts started so far. */
  attempt: number;
}

/** Key under which a request carries its call; interceptors that copy a request copy it too. */
const observedCall: unique symbol = Symbol("typekube.observedCall");

type ObservedRequest = HttpRequest & { readonly [observedCall]?: ObservedCall };

/** Options of {@link observe}. */
export interface ObserveOptions {
  /** Origin and base path of the server: `https://host:port`, and the prefix of every path. */
  readonly server: { readonly origin: string; readonly basePath: string };
  readonly clock?: Clock | undefined;
}

function isListenedTo(): boolean {
  return (
    started.hasSubscribers ||
    responded.hasSubscribers ||
    retried.hasSubscribers ||
    failed.hasSubscribers ||
    ended.hasSubscribers
  );
}

/**
 * Publishes each call on `node:diagnostics_channel`: its start, responses and retries, and its end. It belongs on the
 * outside of a transport, {@link observeAttempts} on the inside; alone it reports what it wraps as one attempt. Without
 * subscribers, calls pass through.
 */
export function observe(options: ObserveOptions): Interceptor {
  return (next) => (request) =>
    isListenedTo() && (request as ObservedRequest)[observedCall] === undefined
      ? observed(next, request, options)
      : next(request);
}

async function observed(
  next: HttpSend,
  request: HttpRequest,
  { server, clock = systemClock }: ObserveOptions,
): Promise<HttpResponse> {
  const startedAt = monotonicNow(clock);
  const call: ObservedCall = { identity: requestIdentity(request, server), attempt: 0 };
  const about = { request: call.identity };
  const watched: ObservedRequest = {
    ...request,
    headers: withAddedHeaders(request.headers, call.identity),
    [observedCall]: call,
  };
  const durationMs = () => monotonicNow(clock) - startedAt;
  try {
    const response = await next(watched);
    if (call.attempt === 0) {
      // No inner observer counted attempts, so there was one.
      call.attempt = 1;
      emitResponse(call, response, durationMs());
    }
    ended.publish({
      ...about,
      attempts: call.attempt,
      durationMs: durationMs(),
      status: response.status,
    });
    return response;
  } catch (error) {
    failed.publish({ ...about, attempt: call.attempt, durationMs: durationMs(), error });
    ended.publish({ ...about, attempts: call.attempt, durationMs: durationMs(), error });
    throw error;
  }
}

function withAddedHeaders(
  headers: HttpRequest["headers"],
  identity: RequestIdentity,
): HttpRequest["headers"] {
  if (!started.hasSubscribers) {
    return headers;
  }
  const added: Record<string, string> = {};
  let isOpen = true;
  started.publish({
    request: identity,
    addHeader(name: string, value: string) {
      if (!isOpen) {
        throw new KubeError(
          "InvalidArgument",
          "headers can only be added in the request.start handler",
        );
      }
      const key = name.toLowerCase();
      if (isIdentity(key)) {
        throw new KubeError("InvalidArgument", `${key} is set by the client's credentials`);
      }
      added[key] = value;
    },
  });
  isOpen = false;
  return { ...added, ...headers };
}

/** Returns true for headers that subscribers must not add: the transport would not replace them with its own identity. */
function isIdentity(header: string): boolean {
  return header === "authorization" || header.startsWith("impersonate-");
}

/** Inner part of {@link observe}: counts each attempt and publishes its response. */
export function observeAttempts(clock: Clock): Interceptor {
  return (next) => (request) => {
    const call = (request as ObservedRequest)[observedCall];
    return call === undefined ? next(request) : attempt(next, request, call, clock);
  };
}

async function attempt(
  next: HttpSend,
  request: HttpRequest,
  call: ObservedCall,
  clock: Clock,
): Promise<HttpResponse> {
  const startedAt = monotonicNow(clock);
  call.attempt += 1;
  const response = await next(request);
  emitResponse(call, response, monotonicNow(clock) - startedAt);
  return response;
}

function emitResponse(
  { identity, attempt }: ObservedCall,
  response: HttpResponse,
  durationMs: number,
): void {
  if (responded.hasSubscribers) {
    responded.publish({
      request: identity,
      status: response.status,
      attempt,
      durationMs,
      ...responseMarks(response),
    });
  }
}

/** Publishes that the last attempt of a request's call did not succeed and another follows after `delayMs`. */
export function publishRetry(
  request: HttpRequest,
  delayMs: number,
  outcome: { readonly status?: number; readonly error?: unknown },
): void {
  const call = (request as ObservedRequest)[observedCall];
  if (call !== undefined && retried.hasSubscribers) {
    retried.publish({ request: call.identity, attempt: call.attempt, delayMs, ...outcome });
  }
}
