import {
  type Clock,
  collectPrefix,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  KubeError,
  sleep,
} from "@typekube/core";
import { parseRetryAfter } from "./retry-after.js";

/** Bytes of a refused answer's body that are read so that its connection can be used again. */
const drainBytes = 16 * 1024;

/** When requests are repeated. */
export interface RetryOptions {
  /** Repetitions after answers with Retry-After. */
  readonly maxRetries: number;
  /** Time of a whole call where the call says nothing: waiting is part of it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Repeats what the server asks to repeat, as client-go: 429 and 5xx with Retry-After, for every method; a
 * GET whose connection broke before the answer is sent once more. A refused connection is never retried here.
 *
 * Hand-written rather than built on p-retry: its waits run on the machine's timers and cannot be given a clock, and
 * what decides here is a response, not an error.
 */
export function retry(options: RetryOptions): Interceptor {
  return (next) => async (request) => {
    const endsAt = callEnd(request, options);
    let brokenOnce = false;
    for (let attempt = 0; ; ) {
      let response: HttpResponse;
      try {
        response = await next(withTimeLeft(request, endsAt, options.clock));
      } catch (error) {
        if (brokenOnce || !isBrokenGet(request, error)) {
          throw error;
        }
        brokenOnce = true;
        continue;
      }
      const delayMs = delayBefore(response, options.clock);
      const inTime = delayMs !== undefined && options.clock.now() + delayMs < endsAt;
      if (!inTime || attempt >= options.maxRetries) {
        // Out of tries or of time: the server's own words say more than a deadline of ours.
        return response;
      }
      attempt += 1;
      await collectPrefix(response.body, drainBytes);
      await sleep(options.clock, delayMs, request.signal);
    }
  };
}

function delayBefore(response: HttpResponse, clock: Clock): number | undefined {
  return response.status === 429 || response.status >= 500
    ? parseRetryAfter(response.headers["retry-after"], clock.now())
    : undefined;
}

/** Logs are not followed twice and a watch knows best from where to go on: only calls are sent again. */
function isBrokenGet(request: HttpRequest, error: unknown): boolean {
  return (
    request.method === "GET" &&
    request.mode === "call" &&
    !request.signal?.aborted &&
    error instanceof KubeError &&
    (error.code === "ConnectionReset" || error.code === "ConnectionClosed")
  );
}

function callEnd(request: HttpRequest, { clock, timeoutMs }: RetryOptions): number {
  const limit = request.mode === "call" ? (request.timeoutMs ?? timeoutMs) : 0;
  return limit > 0 ? clock.now() + limit : Number.POSITIVE_INFINITY;
}

/** All attempts share the time of the call. */
function withTimeLeft(request: HttpRequest, endsAt: number, clock: Clock): HttpRequest {
  return request.timeoutMs === undefined || !Number.isFinite(endsAt)
    ? request
    : { ...request, timeoutMs: Math.max(1, endsAt - clock.now()) };
}
