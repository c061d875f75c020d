import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { KubeError } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import type { WebhookDispatcher } from "../endpoint/webhook.js";
import { type NodeRequest, type NodeResponse, respondTo } from "./respond-to.js";

/** Milliseconds for the header lines of a request. (controller-runtime `internal/httpserver`: 32 s) */
const headersTimeoutMs = 32_000;
/** Milliseconds after which an idle connection is closed. (controller-runtime `internal/httpserver`: 90 s) */
const idleTimeoutMs = 90_000;
/** Bytes of header lines. (controller-runtime `internal/httpserver`: 1 MiB) */
const maxHeaderBytes = 1024 * 1024;
/** Reviews in progress on one HTTP/2 connection. (Go `http2.Server`: 250) */
const maxConcurrentStreams = 250;

/** A certificate and its key as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Settings of a webhook server. */
export interface WebhookServerSettings {
  readonly dispatcher: WebhookDispatcher;
  readonly host: string | undefined;
  readonly port: number;
  readonly clock: Clock;
  /** Called with errors of the listener. */
  readonly onError: (error: Error) => void;
}

/** Durations of a graceful stop, in milliseconds. */
export interface StopTimes {
  /** Time in which connections are still accepted: until API servers know that this process ends. */
  readonly lameDuckMs: number;
  /** Time in which reviews must end afterwards. */
  readonly drainMs: number;
}

/** HTTPS server of webhooks, for HTTP/1.1 and HTTP/2. */
export class WebhookServer {
  readonly #settings: WebhookServerSettings;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Reviews in progress by connection, of HTTP/1.1 only. */
  readonly #busy = new Map<Socket, number>();
  #active = 0;
  #isListening = false;
  #isDraining = false;
  #closing: Promise<void> | undefined;

  constructor(pair: KeyPair, settings: WebhookServerSettings) {
    this.#settings = settings;
    const timeouts = {
      headersTimeout: headersTimeoutMs,
      requestTimeout: headersTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
    };
    this.#server = createSecureServer({
      ...pair,
      minVersion: "TLSv1.2",
      allowHTTP1: true,
      // Otherwise a response waits 40 ms for the client's delayed ACK.
      noDelay: true,
      handshakeTimeout: headersTimeoutMs,
      // For HTTP/1.1 over TLS; Node's types declare these options for plain servers only.
      ...({ maxHeaderSize: maxHeaderBytes, ...timeouts } as object),
      settings: { maxHeaderListSize: maxHeaderBytes, maxConcurrentStreams },
    });
    Object.assign(this.#server, timeouts);
    this.#server.on("secureConnection", (socket) => this.#onConnection(socket));
    this.#server.on("session", (session) => this.#onSession(session));
    this.#server.on("request", (request, response) => {
      this.#onRequest(request as unknown as NodeRequest, response as unknown as NodeResponse).catch(
        (error: unknown) => {
          settings.onError(KubeError.from(error));
          response.stream?.destroy();
        },
      );
    });
  }

  /** `true` while API servers may send reviews here. */
  get isReady(): boolean {
    return this.#isListening && this.#closing === undefined;
  }

  /** Port that the server listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Number of reviews in progress. */
  get active(): number {
    return this.#active;
  }

  /**
   * Starts to listen.
   *
   * @throws {KubeError} `Config` when the port cannot be used.
   */
  listen(): Promise<void> {
    const { port, host, onError } = this.#settings;
    return new Promise((resolve, reject) => {
      this.#server.once("error", (cause) => {
        reject(
          new KubeError("Config", `webhooks cannot listen on port ${port}: ${cause.message}`, {
            cause,
            hint: "choose another port with webhooks.port; 0 takes a free one",
          }),
        );
      });
      this.#server.listen({ port, host }, () => {
        this.#isListening = true;
        this.#server.on("error", onError);
        resolve();
      });
    });
  }

  /** Serves new connections with another certificate. Open ones go on. */
  setCertificate({ cert, key }: KeyPair): void {
    this.#server.setSecureContext({ cert, key, minVersion: "TLSv1.2" });
  }

  /**
   * Stops gracefully: not ready at once, then no new connections, then the end of reviews in progress. Idempotent.
   *
   * @param signal - ends the waits at once.
   */
  close(times: StopTimes, signal?: AbortSignal): Promise<void> {
    this.#closing ??= this.#close(times, signal);
    return this.#closing;
  }

  async #close({ lameDuckMs, drainMs }: StopTimes, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#settings;
    if (!this.#isListening) {
      return;
    }
    if (lameDuckMs > 0) {
      await sleep(clock, lameDuckMs, signal).catch(() => {});
    }
    this.#isDraining = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) {
      session.close();
    }
    for (const socket of this.#sockets) {
      this.#closeIfIdle(socket);
    }
    const over = new AbortController();
    const stopWaiting = () => over.abort();
    signal?.addEventListener("abort", stopWaiting, { once: true });
    const timeout = sleep(clock, drainMs, over.signal).catch(() => {});
    if (signal?.aborted) {
      over.abort();
    }
    await Promise.race([closed, timeout]);
    over.abort();
    signal?.removeEventListener("abort", stopWaiting);
    for (const session of this.#sessions) {
      session.destroy();
    }
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await closed;
    this.#isListening = false;
  }

  #onConnection(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#busy.delete(socket);
    });
  }

  #onSession(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    let open = 0;
    session.on("stream", (stream) => {
      open += 1;
      stream.once("close", () => {
        open -= 1;
      });
    });
    session.once("close", () => this.#sessions.delete(session));
    // Node closes idle connections itself for HTTP/1.1 only.
    session.setTimeout(idleTimeoutMs, () => {
      if (open === 0) {
        session.close();
      }
    });
    if (this.#isDraining) {
      session.close();
    }
  }

  async #onRequest(request: NodeRequest, response: NodeResponse): Promise<void> {
    const isHttp1 = request.httpVersionMajor === 1;
    const { socket } = request;
    this.#active += 1;
    if (isHttp1) {
      this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
    }
    response.once("close", () => {
      this.#active -= 1;
      if (isHttp1) {
        this.#busy.set(socket, (this.#busy.get(socket) ?? 1) - 1);
        if (this.#isDraining) {
          this.#closeIfIdle(socket);
        }
      }
    });
    await respondTo(this.#settings.dispatcher, request, response, () => this.#isDraining);
  }

  /** Closes a connection of HTTP/1.1 without a review; sessions of HTTP/2 close themselves. */
  #closeIfIdle(socket: Socket): void {
    const isHttp2 = (socket as Socket & { alpnProtocol?: unknown }).alpnProtocol === "h2";
    if (!isHttp2 && (this.#busy.get(socket) ?? 0) === 0) {
      socket.end();
    }
  }
}
