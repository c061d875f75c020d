import type { IncomingHttpHeaders } from "node:http";
import { type Clock, type HttpRequest, type HttpResponse, KubeError } from "@typekube/core";
import type { Dispatcher } from "undici";
import { ByteQueue } from "./byte-queue.js";
import type { Lease } from "./connections.js";
import { type Deadlines, deadlinesFor, startDeadline } from "./deadline.js";
import { networkError } from "./network-error.js";
import type { ServerAddress } from "./server-address.js";

/** What every exchange of a transport shares. */
export interface ExchangeSettings {
  readonly server: ServerAddress;
  readonly clock: Clock;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
  /** Exchanges under way; each adds and removes itself, so that closing can end them. */
  readonly active: Set<Exchange>;
}

/** Sends `request` as it is and resolves when the headers of the response are there. */
export function exchange(
  lease: Lease,
  request: HttpRequest,
  settings: ExchangeSettings,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    new Exchange(lease, request, settings, { resolve, reject }).start();
  });
}

interface Outcome {
  resolve(response: HttpResponse): void;
  reject(reason: unknown): void;
}

/** Why undici is told to let go; the caller has the real reason already. */
const abandoned = new KubeError("Aborted", "the exchange was ended by its caller");

/**
 * One request and its response on undici's `dispatch`. It goes through `connection` (waiting for a free
 * one), `headers`, `body` and `done`; {@link finish} is the only way to `done` and undoes what was set up.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #lease: Lease;
  readonly #request: HttpRequest;
  readonly #settings: ExchangeSettings;
  readonly #outcome: Outcome;
  readonly #deadlines: Deadlines;
  #phase: "connection" | "headers" | "body" | "done" = "connection";
  #controller: Dispatcher.DispatchController | undefined;
  #body: ByteQueue | undefined;
  #received = 0;
  #expected: number | undefined;
  #cancelHeadersDeadline: () => void = () => {};
  #cancelTotalDeadline: () => void = () => {};

  constructor(lease: Lease, request: HttpRequest, settings: ExchangeSettings, outcome: Outcome) {
    this.#lease = lease;
    this.#request = request;
    this.#settings = settings;
    this.#outcome = outcome;
    this.#deadlines = deadlinesFor(request, settings);
  }

  start(): void {
    const { method, path, headers, body, signal } = this.#request;
    const { server, clock, active } = this.#settings;
    active.add(this);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    // Two timers, not one after the other: what is left when the headers come would be told by a clock that can be set.
    const { headersMs, totalMs } = this.#deadlines;
    this.#cancelHeadersDeadline = startDeadline(clock, headersMs, this.#onDeadline);
    if (totalMs !== headersMs) {
      this.#cancelTotalDeadline = startDeadline(clock, totalMs, this.#onDeadline);
    }
    this.#lease.dispatcher.dispatch(
      { method, path: server.basePath + path, headers, body: body ?? null },
      this,
    );
  }

  /** Ends the exchange with `reason`; bytes that nobody read yet are dropped. */
  end(reason: unknown): void {
    this.#fail(reason, true);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#phase === "done") {
      // Ended while it waited for a connection. Throwing here, unlike aborting, leaves the connection unharmed.
      throw abandoned;
    }
    this.#controller = controller;
    this.#phase = "headers";
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    rawHeaders: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#phase === "done") {
      return;
    }
    this.#phase = "body";
    const headers = joinHeaders(rawHeaders);
    const length = headers["content-length"];
    this.#expected = length === undefined ? undefined : Number(length);
    this.#body = new ByteQueue(
      {
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        cancel: () => this.end(abandoned),
      },
      this.#request.signal,
    );
    if (this.#deadlines.totalMs !== this.#deadlines.headersMs) {
      this.#cancelHeadersDeadline();
    }
    this.#outcome.resolve({ status, headers, body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
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

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#phase !== "done") {
      const { server } = this.#settings;
      this.#fail(
        networkError(error, {
          host: server.host,
          secure: server.secure,
          request: describe(this.#request),
          phase: this.#phase,
          received: this.#received,
          expected: this.#expected,
        }),
        false,
      );
    }
  }

  readonly #onAbort = (): void => this.end(this.#request.signal?.reason);

  readonly #onDeadline = (): void => this.end(this.#deadlineError());

  #deadlineError(): KubeError {
    const { host } = this.#settings.server;
    const { headersMs, totalMs } = this.#deadlines;
    const message = {
      connection: `no connection to ${host} was made or became free within ${headersMs} ms`,
      headers: `${host} sent no response headers within ${headersMs} ms`,
      body: `the response body was not complete within ${totalMs} ms, ${this.#received} bytes arrived`,
      done: "the exchange is over",
    }[this.#phase];
    return new KubeError("DeadlineExceeded", message, { request: describe(this.#request) });
  }

  #fail(reason: unknown, atOnce: boolean): void {
    if (this.#phase === "done") {
      return;
    }
    this.#finish();
    if (this.#body) {
      this.#body.fail(reason, atOnce);
    } else {
      this.#outcome.reject(reason);
    }
    this.#controller?.abort(abandoned);
    this.#lease.release(true);
  }

  #finish(): void {
    this.#phase = "done";
    this.#cancelHeadersDeadline();
    this.#cancelTotalDeadline();
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
    this.#settings.active.delete(this);
  }
}

/** A request for messages: the query may hold what is nobody's business. */
export function describe(request: HttpRequest): { method: string; path: string } {
  return { method: request.method, path: request.path.split("?", 1)[0] ?? "" };
}

function joinHeaders(raw: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return headers;
}
