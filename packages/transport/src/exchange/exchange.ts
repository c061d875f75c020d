import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type CallScope,
  type Clock,
  type HttpRequest,
  type HttpResponse,
} from "@typekube/core/internal";
import { ByteQueue, type ByteSource } from "../body/byte-queue.js";
import { deadlinesFor, isLimit, shorter, startDeadline } from "../deadlines/deadline.js";
import { describeRequest } from "../errors/describe-request.js";
import { networkError } from "../errors/network-error.js";
import type { ServerAddress } from "../options/server-address.js";
import type { TlsOptions } from "../tls/tls-options.js";
import type { ActiveExchange, ActiveExchanges } from "./active-exchanges.js";
import type { Lease, WireController, WireHandler } from "./wire.js";

/** Settings and state that exchanges of a transport share. */
export interface ExchangeSettings {
  readonly server: ServerAddress;
  readonly clock: Clock;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
  /** Active exchanges; each adds and removes itself, so that closing can end them. */
  readonly active: ActiveExchanges;
  /** Records whether any response arrived on these connections; if so, the server's protocol is known. */
  readonly progress: { hasResponse: boolean };
  readonly tls: Pick<TlsOptions, "ca">;
}

/**
 * Sends `request` with `headers` instead of its own, and resolves once the response headers have arrived.
 *
 * @param finish - converts the response before the caller gets it.
 * @param scope - its `beforeSend` is called when a connection is about to send the request; what it throws ends the
 *   exchange.
 */
export function exchange(
  lease: Lease,
  request: HttpRequest,
  headers: HttpRequest["headers"],
  settings: ExchangeSettings,
  finish: (response: HttpResponse) => HttpResponse,
  scope?: CallScope,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outcome = { resolve, reject, finish, scope };
    new Exchange(lease, request, settings, outcome).start(headers);
  });
}

interface Outcome {
  resolve(response: HttpResponse): void;
  reject(reason: unknown): void;
  finish(response: HttpResponse): HttpResponse;
  readonly scope: CallScope | undefined;
}

/** Reason passed to the connection; the caller already has the real one. */
const abandoned = new KubeError("Aborted", "the caller aborted the request");

/**
 * One request and its response on a connection. Its phases are `connection` (waiting for a free one), `headers`, `body`
 * or `upgraded`, and `done`; {@link finish} is the only way to `done` and undoes the setup.
 */
export class Exchange implements ActiveExchange, ByteSource, WireHandler {
  /** Index among the active exchanges. */
  place = -1;
  readonly #lease: Lease;
  readonly #request: HttpRequest;
  readonly #settings: ExchangeSettings;
  readonly #outcome: Outcome;
  readonly #headersMs: number;
  #totalMs: number;
  #phase: "connection" | "headers" | "body" | "upgraded" | "done" = "connection";
  #upgraded: Socket | undefined;
  #controller: WireController | undefined;
  #body: ByteQueue | undefined;
  #received = 0;
  #expected: number | undefined;
  #isNotModified = false;
  #cancelDeadline = nothing;

  constructor(lease: Lease, request: HttpRequest, settings: ExchangeSettings, outcome: Outcome) {
    this.#lease = lease;
    this.#request = request;
    this.#settings = settings;
    this.#outcome = outcome;
    const { headersMs, totalMs } = deadlinesFor(request, settings);
    this.#headersMs = shorter(headersMs, totalMs);
    this.#totalMs = totalMs;
  }

  start(headers: HttpRequest["headers"]): void {
    const { method, path, body, signal } = this.#request;
    const { server, clock, active } = this.#settings;
    active.add(this);
    allowManyListeners(signal);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#cancelDeadline = startDeadline(clock, this.#headersMs, this.#onHeadersDeadline);
    this.#lease.dispatcher.dispatch(
      {
        method,
        path: server.basePath + path,
        headers,
        body: wireBody(body),
        // For HEAD undici's default stays and closes the connection: a server that wrongly sends a body would get out
        // of step.
        ...(method === "DELETE" ? { reset: false } : {}),
      },
      this,
    );
  }

  /** Ends the exchange with `reason` and drops unread bytes. */
  end(reason: unknown): void {
    this.#fail(reason, true);
  }

  onRequestStart(controller: WireController): void {
    if (this.#phase === "done") {
      // The exchange ended while it waited for a connection. Unlike aborting, throwing here leaves the connection
      // intact.
      throw abandoned;
    }
    try {
      this.#outcome.scope?.beforeSend?.(this.#request);
    } catch (refusal) {
      this.#fail(refusal, true);
      throw abandoned;
    }
    this.#controller = controller;
    this.#phase = "headers";
  }

  onResponseStart(
    _controller: WireController,
    status: number,
    rawHeaders: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#phase === "done") {
      return;
    }
    this.#phase = "body";
    this.#settings.progress.hasResponse = true;
    const headers = joinHeaders(rawHeaders);
    this.#isNotModified = status === 304;
    const length = headers["content-length"];
    this.#expected = length === undefined ? undefined : Number(length);
    const body = new ByteQueue(this, this.#request.signal);
    this.#body = body;
    if (!isLimit(this.#totalMs)) {
      this.#cancelDeadline();
      if (status >= 300) {
        // An error response is not a stream: the caller waits for its complete text.
        this.#totalMs = this.#headersMs;
        this.#cancelDeadline = startDeadline(this.#settings.clock, this.#totalMs, this.#onDeadline);
      }
    }
    try {
      this.#outcome.resolve(this.#outcome.finish({ status, headers, body }));
    } catch (error) {
      this.#body = undefined;
      this.#fail(error, true);
    }
  }

  onResponseData(_controller: WireController, chunk: Buffer): void {
    this.#received += chunk.byteLength;
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#phase === "done") {
      return;
    }
    this.#finish();
    this.#body?.end();
    this.#lease.release(false);
  }

  onProtocolSwitch(headers: Record<string, string>, socket: Socket, head: Buffer): void {
    if (this.#phase === "done") {
      socket.destroy();
      return;
    }
    this.#phase = "upgraded";
    this.#settings.progress.hasResponse = true;
    this.#cancelDeadline();
    this.#upgraded = socket;
    socket.once("close", () => {
      if (this.#phase !== "done") {
        this.#finish();
        this.#lease.release(false);
      }
    });
    this.#outcome.resolve({ status: 101, headers, body: noBody, upgraded: { socket, head } });
  }

  onResponseError(_controller: WireController, error: Error): void {
    if (this.#isNotModified && isLengthMismatch(error)) {
      this.onResponseEnd();
    } else if (this.#phase !== "done") {
      const { server, progress, tls } = this.#settings;
      const phase = this.#phase === "upgraded" ? "body" : this.#phase;
      this.#fail(
        networkError(error, {
          hadResponse: progress.hasResponse,
          hasCa: tls.ca !== undefined,
          host: server.host,
          secure: server.secure,
          request: describeRequest(this.#request),
          phase,
          received: this.#received,
          expected: this.#expected,
        }),
        false,
      );
    }
  }

  get sharesChunks(): boolean {
    return this.#controller?.sharesChunks === true;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  cancel(): void {
    this.end(abandoned);
  }

  readonly #onAbort = (): void => this.end(this.#request.signal?.reason);

  readonly #onDeadline = (): void => this.end(this.#deadlineError());

  /**
   * Runs one timer at a time: the rest of a call's time starts when the headers deadline has passed. Nearly every call
   * then needs one timer, and none reads a clock that could be set.
   */
  readonly #onHeadersDeadline = (): void => {
    const leftMs = this.#totalMs - this.#headersMs;
    if (this.#phase === "body" && leftMs > 0) {
      this.#cancelDeadline = startDeadline(this.#settings.clock, leftMs, this.#onDeadline);
    } else {
      this.#onDeadline();
    }
  };

  #deadlineError(): KubeError {
    const { host } = this.#settings.server;
    const headersMs = this.#headersMs;
    const message = {
      connection: `no connection to ${host} was available within ${headersMs} ms`,
      headers: `${host} sent no response headers within ${headersMs} ms`,
      body: `the response body was not complete within ${this.#totalMs} ms, ${this.#received} bytes arrived`,
      upgraded: "the connection was handed over",
      done: "the exchange is over",
    }[this.#phase];
    return new KubeError("DeadlineExceeded", message, { request: describeRequest(this.#request) });
  }

  #fail(reason: unknown, atOnce: boolean): void {
    if (this.#phase === "done") {
      return;
    }
    this.#finish();
    if (this.#upgraded) {
      this.#upgraded.destroy(reason instanceof Error ? reason : abandoned);
    } else if (this.#body) {
      this.#body.fail(reason, atOnce);
    } else {
      this.#outcome.reject(reason);
    }
    this.#controller?.abort(abandoned);
    this.#lease.release(true);
  }

  #finish(): void {
    this.#phase = "done";
    this.#cancelDeadline();
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
    this.#settings.active.delete(this);
  }
}

function wireBody(body: HttpRequest["body"]): Readable | Uint8Array | null {
  return body === undefined || body instanceof Uint8Array ? (body ?? null) : Readable.from(body);
}

/**
 * Returns true for undici's error about a missing body. A 304 may state the length of the body that it omits (RFC 9110
 * §8.6).
 */
function isLengthMismatch(error: Error): boolean {
  return (error as { code?: unknown }).code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

/**
 * Joins repeated headers. Most responses repeat none, and we own the object from the connection, so it is copied only
 * when necessary.
 */
function joinHeaders(raw: IncomingHttpHeaders): Record<string, string> {
  for (const name in raw) {
    if (typeof raw[name] !== "string") {
      return joined(raw);
    }
  }
  return raw as Record<string, string>;
}

function joined(raw: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return headers;
}

function nothing(): void {}

/** The body of a response that switched the protocol. */
const noBody: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {
    // The bytes that follow belong to the new protocol.
  },
};
