import { KubeError } from "@typekube/core";
import {
  callScope,
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  longestTimerMs,
  monotonicNow,
  sleep,
} from "@typekube/core/internal";
import pRetry from "p-retry";
import { isLimit, shorter } from "../deadlines/deadline.js";
import { RequestWait } from "../deadlines/request-wait.js";
import { publishRetry } from "../observe/observe.js";
import { drain } from "../response/drain.js";
import { parseRetryAfter } from "../response/retry-after.js";
import {
  afterAttempt,
  canBeReplayed,
  isBrokenRead,
  isRead,
  isRefusedForNow,
  type Outcome,
} from "./repeatable.js";
import { backoffMs, maxBrokenRetries } from "./retry-backoff.js";
import type { RetryOptions } from "./retry-options.js";

/**
 * Carries an outcome for p-retry to decide on. p-retry accepts only errors, by class; our outcomes may be responses and
 * reasons of any type.
 */
export class FailedAttempt extends Error {
  readonly outcome: Outcome;
  /** Outcome of the previous attempt. */
  readonly before: Outcome | undefined;
  /** Milliseconds to wait before the next attempt; `undefined` when no attempt follows. */
  readonly delayMs: number | undefined;

  constructor(outcome: Outcome, before: Outcome | undefined, delayMs: number | undefined) {
    super("an attempt failed");
    this.outcome = outcome;
    this.before = before;
    this.delayMs = delayMs;
  }
}

/** One call and its attempts: see `retry`. */
export class RetriedCall {
  readonly #next: HttpSend;
  readonly #request: HttpRequest;
  readonly #options: RetryOptions;
  /** End of the call on the monotonic clock, so that setting the time of day makes no call shorter or longer. */
  readonly #endsAt: number;
  #broken = 0;
  #before: Outcome | undefined;

  constructor(next: HttpSend, request: HttpRequest, options: RetryOptions) {
    this.#next = next;
    this.#request = request;
    this.#options = options;
    const limitMs = request.mode === "call" ? (request.timeoutMs ?? options.timeoutMs) : 0;
    this.#endsAt = isLimit(limitMs)
      ? monotonicNow(options.clock) + limitMs
      : Number.POSITIVE_INFINITY;
  }

  /**
   * Sends the request.
   *
   * @throws {FailedAttempt} for an outcome that may be retried, and for any failure of a later attempt.
   */
  async attempt(number: number): Promise<HttpResponse> {
    let outcome: Outcome;
    try {
      const turn = number > 1 || this.#request.mode === "call" ? this.#turn() : undefined;
      if (turn !== undefined) {
        await turn;
      }
      const response = await this.#next(this.#prepared(number));
      if (!isRefusedForNow(response.status)) {
        return response;
      }
      outcome = { response };
    } catch (error) {
      outcome = { error };
    }
    const delayMs = this.#delayMs(outcome, number);
    if (number === 1 && delayMs === undefined) {
      return settled(outcome, undefined);
    }
    throw new FailedAttempt(outcome, this.#before, delayMs);
  }

  /** Continues after the first attempt failed. */
  async repeat(first: FailedAttempt): Promise<HttpResponse> {
    try {
      return await pRetry(
        (number) => (number === 1 ? Promise.reject(first) : this.attempt(number)),
        {
          retries: Math.max(0, this.#options.maxRetries),
          // We wait ourselves: on the client's clock, and no longer than the call's signal allows.
          minTimeout: 0,
          shouldRetry: ({ error }) => this.#waitAfter(error as FailedAttempt),
        },
      );
    } catch (failure) {
      if (failure instanceof FailedAttempt) {
        return settled(failure.outcome, failure.before);
      }
      throw failure;
    }
  }

  /** Waits for the next attempt; returns false when no attempt follows. */
  async #waitAfter({ outcome, delayMs }: FailedAttempt): Promise<boolean> {
    const { clock } = this.#options;
    if (
      delayMs === undefined ||
      delayMs > longestTimerMs ||
      monotonicNow(clock) + delayMs >= this.#endsAt
    ) {
      return false;
    }
    const { response, error } = outcome;
    this.#before = outcome;
    publishRetry(this.#request, delayMs, response ? { status: response.status } : { error });
    if (response) {
      await drain(response, clock);
    }
    // The delay fits into the call's time, so only the signal or the transport's end can cut it short.
    const wait = this.#wait(0, "the client did not retry");
    try {
      wait.throwIfOver();
      if (delayMs > 0) {
        await sleep(clock, delayMs, wait.signal);
      }
    } finally {
      wait.end();
    }
    return true;
  }

  /** Returns the milliseconds before the request is sent again; `undefined` when it is not. */
  #delayMs({ response, error }: Outcome, number: number): number | undefined {
    const { clock, maxRetries, random = Math.random } = this.#options;
    const request = this.#request;
    const isWanted = maxRetries > 0 && request.isRepeated !== false && !request.signal?.aborted;
    if (!isWanted || !canBeReplayed(request)) {
      return undefined;
    }
    if (response) {
      const requestedMs = parseRetryAfter(response.headers["retry-after"], clock.now());
      return requestedMs === undefined
        ? undefined
        : Math.max(requestedMs, backoffMs(number, random));
    }
    if (isBrokenRead(request, error) && this.#broken < maxBrokenRetries) {
      this.#broken += 1;
      return backoffMs(this.#broken, random);
    }
    return this.#isLateAttempt(error) ? backoffMs(number, random) : undefined;
  }

  /** Returns true when an attempt took all of its own time, but not all of the call's. */
  #isLateAttempt(error: unknown): boolean {
    const { attemptTimeoutMs = 0, clock } = this.#options;
    return (
      isLimit(attemptTimeoutMs) &&
      isRead(this.#request) &&
      error instanceof KubeError &&
      error.code === "DeadlineExceeded" &&
      monotonicNow(clock) < this.#endsAt
    );
  }

  /** Returns the request with its remaining time. */
  #prepared(number: number): HttpRequest {
    const request = this.#request;
    const { attemptTimeoutMs = 0, headersTimeoutMs = 0 } = this.#options;
    const isLater = number > 1 && Number.isFinite(this.#endsAt);
    if (!isLater && !isLimit(attemptTimeoutMs)) {
      return request;
    }
    // Setting the call's timeout must not remove the limit of its headers.
    const headersMs = request.timeoutMs === undefined ? headersTimeoutMs : 0;
    const ownMs = request.mode === "call" ? attemptTimeoutMs : 0;
    return {
      ...request,
      headersTimeoutMs: shorter(request.headersTimeoutMs ?? 0, shorter(ownMs, headersMs)),
      ...(isLater ? { timeoutMs: this.#leftMs() } : {}),
    };
  }

  /** Returns the wait for the rate limiter; `undefined` without a limiter, or when the request need not wait. */
  #turn(): Promise<void> | undefined {
    const { limiter } = this.#options;
    if (limiter === undefined || callScope()?.isUrgent) {
      return undefined;
    }
    const limitMs = Number.isFinite(this.#endsAt) ? this.#leftMs() : 0;
    const wait = this.#wait(limitMs, "the client's rate limit delayed the request");
    wait.throwIfOver();
    return limiter.take(() => wait.signal)?.finally(() => wait.end());
  }

  #leftMs(): number {
    return Math.max(1, Math.ceil(this.#endsAt - monotonicNow(this.#options.clock)));
  }

  #wait(limitMs: number, tooLate: string): RequestWait {
    const { clock, closing } = this.#options;
    return new RequestWait({ ...this.#request, timeoutMs: limitMs }, { clock, closing }, tooLate);
  }
}

function settled({ response, error }: Outcome, before: Outcome | undefined): HttpResponse {
  if (response) {
    return response;
  }
  throw afterAttempt(error, before);
}
