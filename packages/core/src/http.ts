import type { Duplex } from "node:stream";

/** HTTP methods of the Kubernetes API. */
export type HttpMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

/**
 * An HTTP request as every layer sees it. A transport over sockets, the embedded API server in the same process and a
 * recorder in a test all have the same signature: {@link HttpSend}.
 */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Path and query below the server's base path, percent-encoded: `/api/v1/pods?limit=500`. */
  readonly path: string;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request; chunks are sent as they come, and such a request is never repeated. Default: none. */
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array | undefined;
  /** Aborts the exchange at any time, also while its body arrives. The exchange then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Lifetime of the exchange. A `call` has deadlines and shares connections with other calls. A `stream` (watch, log)
   * may stay open for hours and never takes connections away from calls. An `upgrade` asks for another protocol on a
   * connection of its own: its deadlines end with the response.
   */
  readonly mode: "call" | "stream" | "upgrade";
  /** Timeout in milliseconds for the whole exchange of a call, including the body. Default: the transport's. */
  readonly timeoutMs?: number | undefined;
  /**
   * Timeout in milliseconds for the headers of the response, if shorter than {@link timeoutMs}, which may cover several
   * attempts. Default: `timeoutMs` when set, otherwise the transport's.
   */
  readonly headersTimeoutMs?: number | undefined;
  /** `false` disables the transport's retries, for callers with their own retry rules. Default true. */
  readonly isRepeated?: boolean | undefined;
}

/** The response to an {@link HttpRequest}. The caller must read the body to its end or end the iteration. */
export interface HttpResponse {
  /** HTTP status; any status is a response, not an error. */
  readonly status: number;
  /** Headers by name, in lower case. Repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body with any content-encoding removed. Can be iterated once; ending the iteration early frees the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The connection, when the server switched to the protocol that an `upgrade` asked for: status 101, and no body. */
  readonly upgraded?: UpgradedConnection | undefined;
}

/** A connection that no longer speaks HTTP. It belongs to the caller, who must close it. */
export interface UpgradedConnection {
  readonly socket: Duplex;
  /** Bytes of the new protocol that were received together with the response. */
  readonly head: Uint8Array;
}

/** Sends one request. Rejects with a `KubeError` when no response arrives, never because of an HTTP status. */
export type HttpSend = (request: HttpRequest) => Promise<HttpResponse>;

/** Wraps a {@link HttpSend} with one behaviour: authentication, retries, a user agent. */
export type Interceptor = (next: HttpSend) => HttpSend;

/** Wraps `send` so that the first interceptor sees a request first. */
export function intercept(send: HttpSend, interceptors: readonly Interceptor[]): HttpSend {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), send);
}
