import {
  amount,
  type Clock,
  type Interceptor,
  integerFrom,
  type Limits,
  type OptionTable,
} from "@typekube/core/internal";
import type { Credentials } from "../auth/credentials.js";
import type { Impersonation } from "../auth/impersonate.js";
import type { Warning } from "../response/warnings.js";
import type { RateLimiter, RateLimitOptions } from "../retry/rate-limit.js";
import type { Secret } from "../secrets/secret.js";
import type { TlsFiles } from "../tls/tls-files.js";
import type { Pem, TlsOptions } from "../tls/tls-options.js";

/** Options of a transport; only `server` is required. */
export interface TransportOptions {
  /** URL of the server. A path in the URL is kept in front of every request path. */
  readonly server: string;
  /**
   * Verification of the server and client certificate. Default: the server is verified with the authorities of Node.
   */
  readonly tls?: TlsOptions | undefined;
  /**
   * Files that `tls` was read from. They are checked once a second while requests are sent, and after a failed
   * handshake or a 401. New connections use the new material; active exchanges continue.
   */
  readonly tlsFiles?: TlsFiles | undefined;
  /** Credentials for each request. Default: none but the client certificate in `tls`. */
  readonly auth?: Credentials | undefined;
  /** User to impersonate in every request. Default: none, requests are made as the user of the credentials. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * URL of an http, https or socks5 proxy. User and password in the URL are sent to the proxy only. Default: no proxy,
   * whatever the environment variables contain.
   */
  readonly proxy?: Secret | string | undefined;
  /**
   * Certificate authorities that may have signed the certificate of an https proxy, as PEM. Default: Node's and those
   * of `tls.ca`. Client certificate and server name are never used for the proxy.
   */
  readonly proxyCa?: Pem | undefined;
  /** Sends credentials to an `http://` server too. Default false, as in client-go. */
  readonly credentialsOverHttp?: boolean | undefined;
  /**
   * Value of the User-Agent header. Default `typekube/<version> (<platform>/<arch>) node/<major>`, with `bun/` or
   * `deno/` on these runtimes.
   */
  readonly userAgent?: string | undefined;
  /** Maximum number of connections that calls share. Default 16; streams use other connections. */
  readonly connections?: number | undefined;
  /**
   * Requests that use HTTP/2 when a TLS server offers it: with `"auto"` streams only, which then share connections;
   * with `true` calls too; with `false` none. Default `"auto"`: a single call is cheaper over HTTP/1.1, see
   * docs/decisions/0012-http2.md.
   */
  readonly http2?: boolean | "auto" | undefined;
  /** Milliseconds between PINGs on an HTTP/2 connection in use. Default 30,000; 0 disables them. */
  readonly pingIntervalMs?: number | undefined;
  /** Milliseconds of silence after a PING until the connection counts as dead. Default 15,000. */
  readonly pingTimeoutMs?: number | undefined;
  /** Timeout for establishing a connection, including the TLS handshake, in milliseconds. Default 30,000; 0 is no limit. */
  readonly connectTimeoutMs?: number | undefined;
  /** Milliseconds until the response headers must arrive, for requests without a timeout. Default 75,000; 0 is no limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** Milliseconds for a whole call that sets no timeout, including its retries. Default 300,000; 0 is no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds until one attempt of a call must have its response headers, also when the call sets a longer timeout.
   * A read without them is retried within the call's time. Default 0: an attempt may take all of it.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * Maximum number of retries of a call: after responses with Retry-After, and for reads also after broken connections
   * (at most two per call) and after attempts that exceeded `attemptTimeoutMs`. Default 10; 0 disables retries.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Rate limit for requests: `qps` per second on average and `burst` at once after a pause, or a limiter that several
   * clients share. Retries count, the first attempt of a stream does not. Default: no limit, since the server has its
   * own.
   */
  readonly rateLimit?: RateLimiter | RateLimitOptions | undefined;
  /** Requests no gzip compression of responses. Default false. */
  readonly disableCompression?: boolean | undefined;
  /** Called with each warning in a response (deprecated kinds, unknown fields). Default: warnings are ignored. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Interceptors around every request, outermost first. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Limits for responses. The transport applies `maxHeaderBytes`, `maxInflatedBytes`, `maxInflateRatio` and
   * `maxSmallGzipMembers`.
   */
  readonly limits?: Partial<Limits> | undefined;
  /** Clock for timeouts, retries and rate limits. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Names and checks of {@link TransportOptions}. A resolved configuration is accepted directly, so its namespace and
 * context are allowed too. The numbers are checked with all defaults filled in.
 */
export const transportOptions: OptionTable<
  TransportOptions & Record<"contextName" | "namespace", unknown>
> = {
  attemptTimeoutMs: amount,
  connectTimeoutMs: amount,
  headersTimeoutMs: amount,
  maxRetries: amount,
  pingIntervalMs: amount,
  pingTimeoutMs: amount,
  timeoutMs: amount,
  connections: integerFrom(1),
  auth: true,
  clock: true,
  contextName: true,
  credentialsOverHttp: true,
  disableCompression: true,
  http2: true,
  impersonate: true,
  interceptors: true,
  limits: true,
  namespace: true,
  onWarning: true,
  proxy: true,
  proxyCa: true,
  rateLimit: true,
  server: true,
  tls: true,
  tlsFiles: true,
  userAgent: true,
};

/** Default values of the options. */
export const transportDefaults = {
  /**
   * Measured with a server that takes 5 ms, concurrency 50, TLS: a call takes 137 us with 50 connections and 593 us
   * with 10. Each further connection costs the server a handshake and memory. 16 is enough for a busy controller.
   */
  connections: 16,
  /** client-go's dial timeout; here it includes the TLS handshake. */
  connectTimeoutMs: 30_000,
  /** An API server ends a call itself after 60 s, with a better message than ours. */
  headersTimeoutMs: 75_000,
  /** Enough for a list of 50,000 pods over a slow connection. */
  timeoutMs: 300_000,
  /** client-go's number of retries. */
  maxRetries: 10,
  /** client-go's values for a silent HTTP/2 connection. */
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  /** API servers close idle connections after 90 s, common load balancers after 60 s; we close them earlier. */
  keepAliveMs: 55_000,
  /** Idle time before TCP probes a connection, as in client-go's dialer: detects dead peers of silent watches. */
  tcpKeepAliveMs: 30_000,
} as const;
