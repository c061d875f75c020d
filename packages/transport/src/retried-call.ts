import { KubeError } from "@typekube/core";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  longestTimerMs,
  monotonicNow,
  sleep,
} from "@typekube/core/internal";
import pRetry from "p-retry";
import { isLimit, shorter } from "./deadline.js";
import { drain } from "./drain.js";
import { tellRetry } from "./observe.js";
import {
  afterAttempt,
  canBeReplayed,
  isBrokenRead,
  isRead,
  isRefusedForNow,
  type Outcome,
} from "./repeatable.js";
import { RequestWait } from "./request-wait.js";
import { parseRetryAfter } from "./retry-after.js";
import { backoffMs, maxBrokenRetries } from "./retry-backoff.js";
import type { RetryOptions } from "./retry-options.js";

/** What p-retry decides on. It takes errors only, and by their class; ours may be responses and reasons of any type. */
export class FailedAttempt extends Error {
  readonly outcome: Outcome;
  /** How the attempt before it came out. */
  readonly before: Outcome | undefined;
  /** Milliseconds to wait for before the next one; `undefined` when there shall be none. */
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
  /** On the monotonic clock: setting the time of day makes no call shorter or longer. */
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
   * @throws {FailedAttempt} for what may be repeated; for anything in a later attempt.
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

  /** Goes on after the first attempt. */
  async repeat(first: FailedAttempt): Promise<HttpResponse> {
    try {
      return await pRetry(
        (number) => (number === 1 ? Promise.reject(first) : this.attempt(number)),
        {
          retries: Math.max(0, this.#options.maxRetries),
          // The waits are ours: they are on the client's clock and end with the call's signal.
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

  /** Waits for the next attempt; false when there shall be none. */
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
    tellRetry(this.#request, delayMs, response ? { status: response.status } : { error });
    if (response) {
      await drain(response, clock);
    }
    // It fits into the call's time, so that the signal and the transport's end are all that can cut it short.
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

  /** How long to wait before the request is sent again; `undefined` when it is not. */
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

  /** Whether an attempt took all of its own time, and not all of the call's. */
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

  /** The request with the time that is left to it. */
  #prepared(number: number): HttpRequest {
    const request = this.#request;
    const { attemptTimeoutMs = 0, headersTimeoutMs = 0 } = this.#options;
    const isLater = number > 1 && Number.isFinite(this.#endsAt);
    if (!isLater && !isLimit(attemptTimeoutMs)) {
      return request;
    }
    // Naming the call's time must not take the limit of its headers away.
    const headersMs = request.timeoutMs === undefined ? headersTimeoutMs : 0;
    const ownMs = request.mode === "call" ? attemptTimeoutMs : 0;
    return {
      ...request,
      headersTimeoutMs: shorter(request.headersTimeoutMs ?? 0, shorter(ownMs, headersMs)),
      ...(isLater ? { timeoutMs: this.#leftMs() } : {}),
    };
  }

  /** The turn to wait for, where there is a limit and it is reached. */
  #turn(): Promise<void> | undefined {
    const { limiter } = this.#options;
    if (limiter === undefined) {
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
