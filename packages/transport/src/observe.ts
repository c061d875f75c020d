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
import { requestIdentity } from "./request-identity.js";
import { responseMarks } from "./response-marks.js";

const started = diagnostics("typekube:request.start");
const responded = diagnostics("typekube:request.response");
const retried = diagnostics("typekube:request.retry");
const failed = diagnostics("typekube:request.error");
const ended = diagnostics("typekube:request.end");

/** A call that somebody listens to. */
interface ObservedCall {
  readonly identity: RequestIdentity;
  /** Attempts that were begun. */
  attempt: number;
}

/** Under which a request carries its call: interceptors that copy a request copy it as well. */
const observedCall: unique symbol = Symbol("typekube.observedCall");

type ObservedRequest = HttpRequest & { readonly [observedCall]?: ObservedCall };

/** Whom requests are told to be for. */
export interface ObserveOptions {
  /** Origin and base path of the server: `https://host:port`, and what stands in front of every path. */
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
 * Tells `node:diagnostics_channel` of each call: its start, the answers and repetitions within it, its end. For the outside
 * of a transport, {@link observeAttempts} for its inside; alone it takes what it wraps for one attempt. While nobody has
 * subscribed, calls go straight through.
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
      // Nobody inside tells of attempts: there is one.
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

/** Who a request is from is not for those who only listen: in place of these the transport would add nothing of its own. */
function isIdentity(header: string): boolean {
  return header === "authorization" || header.startsWith("impersonate-");
}

/** The inside of {@link observe}: each attempt that comes here is counted and its answer told. */
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

/** Tells that the last attempt of a request's call did not do and another follows after `delayMs`. */
export function tellRetry(
  request: HttpRequest,
  delayMs: number,
  outcome: { readonly status?: number; readonly error?: unknown },
): void {
  const call = (request as ObservedRequest)[observedCall];
  if (call !== undefined && retried.hasSubscribers) {
    retried.publish({ request: call.identity, attempt: call.attempt, delayMs, ...outcome });
  }
}
