import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import {
  type Clock,
  codecs,
  isJsonObject,
  type JsonObject,
  linkAbort,
  mediaTypes,
  monotonicNow,
  parseMediaType,
  stringifyJson,
} from "@typekube/core/internal";
import { failureStatus } from "../admission/denial.js";
import { errorStatus } from "../admission/error-status.js";
import { badRequest, type Endpoint, type EndpointReply, type EndpointReports } from "./endpoint.js";
import { goDurationMs } from "./go-duration.js";
import type { WebhookObserver } from "./webhook-observer.js";

/** Milliseconds that remain of the API server's timeout for our own response to arrive. */
const reserveMs = 100;

/** A request to a webhook, without its body. */
export interface WebhookRequest {
  readonly method: string;
  /** Path with query: `/validate-example-com-v1-shop?timeout=10s`. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The response of a webhook; its body is JSON. */
export interface WebhookReply {
  readonly status: number;
  readonly body: string;
}

/** Reads a body of at most this many bytes. Rejects with `RequestEntityTooLarge` when it is longer. */
export type ReadBody = (maxBytes: number) => Promise<Uint8Array>;

/** Dispatches requests to the endpoints of a webhook server, whatever carries them. */
export class WebhookDispatcher {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #clock: Clock;
  readonly #observers: readonly WebhookObserver[];
  readonly #onError: (message: string, error?: unknown) => void;
  readonly #advised = new Set<string>();

  constructor(
    endpoints: readonly Endpoint[],
    clock: Clock,
    observers: readonly WebhookObserver[],
    onError: (message: string, error?: unknown) => void,
  ) {
    this.#endpoints = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
    this.#clock = clock;
    this.#observers = observers;
    this.#onError = onError;
  }

  get paths(): string[] {
    return [...this.#endpoints.keys()];
  }

  /** Responds to a request; never rejects. */
  async respond(
    request: WebhookRequest,
    readBody: ReadBody,
    signal?: AbortSignal,
  ): Promise<WebhookReply> {
    const question = request.url.indexOf("?");
    const path = question < 0 ? request.url : request.url.slice(0, question);
    const endpoint = this.#endpoints.get(path);
    if (endpoint === undefined) {
      return replyOf(statusReply(404, `no webhook at ${path}`));
    }
    const startedAt = monotonicNow(this.#clock);
    this.#notify(({ onStart }) => onStart?.({ webhook: path, traceparent: request.traceparent }));
    const reply = await this.#reviewed(endpoint, request, readBody, startedAt, signal).catch(
      (error: unknown): EndpointReply => {
        const status = errorStatus(error);
        return statusReply(status.code ?? 500, status.message ?? "");
      },
    );
    const durationMs = monotonicNow(this.#clock) - startedAt;
    const { code, outcome } = reply;
    this.#notify(({ onReview }) => onReview?.({ webhook: path, code, outcome, durationMs }));
    return replyOf(reply);
  }

  async #reviewed(
    endpoint: Endpoint,
    { method, url, contentType }: WebhookRequest,
    readBody: ReadBody,
    startedAt: number,
    signal: AbortSignal | undefined,
  ): Promise<EndpointReply> {
    // The body is read in any case, so that the connection can be used again.
    const body = await readBody(endpoint.maxBodyBytes);
    if (method !== "POST") {
      throw new KubeError("MethodNotAllowed", `a webhook takes POST, not ${method}`);
    }
    if (parseMediaType(contentType ?? "").essence !== mediaTypes.json) {
      throw badRequest(
        `the content type must be application/json, not ${contentType ?? "missing"}`,
      );
    }
    const envelope = await envelopeIn(body, endpoint);
    const timeoutMs = timeoutOf(url) ?? endpoint.timeoutMs;
    const leftMs = timeoutMs - reserveMs - (monotonicNow(this.#clock) - startedAt);
    return this.#inTime(endpoint, envelope, Math.max(0, leftMs), signal);
  }

  /** Reviews a request. What is not done shortly before the API server stops waiting is reported as failed. */
  async #inTime(
    endpoint: Endpoint,
    envelope: KubeObject & { readonly request: JsonObject },
    leftMs: number,
    signal: AbortSignal | undefined,
  ): Promise<EndpointReply> {
    using abort = linkAbort(signal);
    let cancel = () => {};
    const over = new Promise<never>((_, reject) => {
      const end = () => reject(abort.signal.reason);
      abort.signal.addEventListener("abort", end, { once: true });
      cancel = this.#clock.schedule(leftMs, () =>
        abort.abort(
          new KubeError(
            "DeadlineExceeded",
            `${endpoint.path} did not respond within ${Math.round(leftMs)} ms`,
          ),
        ),
      );
    });
    const reports = this.#reportsOf(endpoint);
    try {
      const review = endpoint.review(envelope, abort.signal, reports);
      // A handler that ignores its signal has no one left to report to.
      review.catch(() => {});
      return await Promise.race([review, over]);
    } catch (error) {
      if (!abort.signal.aborted) {
        throw error;
      }
      this.#onError(`${endpoint.path} was stopped`, error);
      return endpoint.failed(envelope, error);
    } finally {
      cancel();
    }
  }

  /** Calls all observers. What one throws must not fail a review. */
  #notify(call: (observer: WebhookObserver) => void): void {
    for (const observer of this.#observers) {
      try {
        call(observer);
      } catch (error) {
        this.#onError("an observer of webhooks failed", error);
      }
    }
  }

  #reportsOf({ path: webhook }: Endpoint): EndpointReports {
    return {
      panic: (error) => {
        this.#notify(({ onPanic }) => onPanic?.({ webhook, error }));
        this.#onError(`a handler of ${webhook} failed`, error);
      },
      conversionFailure: (kept, error) => {
        this.#notify(({ onConversionFailure }) => onConversionFailure?.({ webhook, kept }));
        this.#onError("a conversion failed, which breaks lists and watches of the kind", error);
      },
      advice: (message) => {
        if (!this.#advised.has(message)) {
          this.#advised.add(message);
          this.#onError(message);
        }
      },
    };
  }
}

function timeoutOf(url: string): number | undefined {
  const question = url.indexOf("?");
  const text = question < 0 ? null : new URLSearchParams(url.slice(question + 1)).get("timeout");
  return text === null ? undefined : goDurationMs(text);
}

async function envelopeIn(
  body: Uint8Array,
  { reviewGroup, reviewKind }: Endpoint,
): Promise<KubeObject & { readonly request: JsonObject }> {
  if (body.byteLength === 0) {
    throw badRequest("the body is empty");
  }
  const value = await codecs.json.decode(body).catch((error: unknown) => {
    throw badRequest(`the body is not JSON: ${KubeError.from(error).rawMessage}`);
  });
  if (!isJsonObject(value)) {
    throw badRequest("the body is not an object");
  }
  const { apiVersion, kind, request } = value;
  const isKnown =
    kind === reviewKind &&
    [`${reviewGroup}/v1`, `${reviewGroup}/v1beta1`].includes(String(apiVersion));
  if (!isKnown) {
    throw badRequest(`the body is not a ${reviewKind} of ${reviewGroup}/v1`);
  }
  if (!isJsonObject(request)) {
    throw badRequest("the review has no request");
  }
  return { ...(value as KubeObject), request };
}

function statusReply(code: number, message: string): EndpointReply {
  const status = failureStatus(code, message);
  return {
    code,
    body: { apiVersion: "v1", kind: "Status", metadata: {}, ...status },
    outcome: code >= 500 ? "failed" : "invalid",
  };
}

function replyOf({ code, body }: EndpointReply): WebhookReply {
  return { status: code, body: stringifyJson(body) };
}
