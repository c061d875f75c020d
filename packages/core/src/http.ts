/** The HTTP methods of the Kubernetes API. */
export type HttpMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

/**
 * One HTTP exchange as every layer sees it. A transport on sockets, the embedded API server in process and a
 * recorder in a test are all the same function: {@link HttpSend}.
 */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Path and query below the server's base path, percent-encoded: `/api/v1/pods?limit=500`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Ends the exchange at any moment, the body included; the exchange fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the exchange may live: a `call` has deadlines and shares connections with other calls, a
   * `stream` (watch, log) may stay open for hours and never starves calls of connections.
   */
  readonly mode: "call" | "stream";
  /** Milliseconds for the whole exchange of a call, the body included. Absent: the transport's default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds until the headers of the answer must be there, where that is less than {@link timeoutMs}: a call's time
   * may be for several attempts. Absent: the transport's default, or all of the call's time where it names one.
   */
  readonly headersTimeoutMs?: number | undefined;
  /** `false` from a caller that waits by rules of its own: what the server refuses for now is not asked for again. Default true. */
  readonly isRepeated?: boolean | undefined;
}

/** The answer to an {@link HttpRequest}. Whoever gets it reads the body to its end or ends the iteration. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case, repeated headers joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body with any content-encoding removed. Can be iterated once; ending early frees the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends one request. Fails with a `KubeError` when no answer came, never because of an HTTP status. */
export type HttpSend = (request: HttpRequest) => Promise<HttpResponse>;

/** Wraps a {@link HttpSend} with one behaviour: authentication, retries, a user agent. */
export type Interceptor = (next: HttpSend) => HttpSend;

/** Wraps `send` so that the first interceptor sees a request first. */
export function intercept(send: HttpSend, interceptors: readonly Interceptor[]): HttpSend {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), send);
}
