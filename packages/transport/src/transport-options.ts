import { KubeError } from "@typekube/core";
import {
  type Clock,
  defaultLimits,
  type Interceptor,
  type Limits,
  systemClock,
} from "@typekube/core/internal";
import { checkNumbers } from "./check-numbers.js";
import type { Credentials } from "./credentials.js";
import type { Impersonation } from "./impersonate.js";
import { assertTransportOptions } from "./known-options.js";
import { type ProxyAddress, parseProxy } from "./proxy-address.js";
import { type RateLimiter, type RateLimitOptions, rateLimiterOf } from "./rate-limit.js";
import type { Secret } from "./secret.js";
import { parseServer, type ServerAddress } from "./server-address.js";
import type { TlsFiles } from "./tls-files.js";
import type { Pem, TlsOptions } from "./tls-options.js";
import { defaultUserAgent } from "./user-agent.js";
import type { Warning } from "./warnings.js";

/** What a transport is made of; only `server` is needed. */
export interface TransportOptions {
  /** URL of the server. A path in it is kept in front of every request. */
  readonly server: string;
  readonly tls?: TlsOptions | undefined;
  /**
   * The files that `tls` was read from. They are looked at again each second while requests go out, and after a failed
   * handshake or a 401; new connections use what is new, and what runs goes on.
   */
  readonly tlsFiles?: TlsFiles | undefined;
  readonly auth?: Credentials | undefined;
  /** Send everything as somebody else. Default: as the user that the credentials are of. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * URL of an http, https or socks5 proxy to go through; user and password in it are shown to the proxy only. Default: none, whatever
   * the environment says.
   */
  readonly proxy?: Secret | string | undefined;
  /**
   * Authorities that may have signed the certificate of an https proxy; PEM. Default: Node's and those of `tls.ca`. Client certificate
   * and server name are never for the proxy.
   */
  readonly proxyCa?: Pem | undefined;
  /** Sends credentials also to an `http://` server. Default false, as client-go. */
  readonly credentialsOverHttp?: boolean | undefined;
  /** Default `typekube/<version> (<platform>/<arch>) node/<major>`; on Bun and Deno `bun/` and `deno/`. */
  readonly userAgent?: string | undefined;
  /** Connections that calls share at most. Default 16; streams have others. */
  readonly connections?: number | undefined;
  /**
   * What goes over HTTP/2 where a TLS server offers it: `"auto"` streams only, which then share connections; `true` calls too;
   * `false` nothing. Default `"auto"`: a call by itself is cheaper over HTTP/1.1, see docs/decisions/0012-http2.md.
   */
  readonly http2?: boolean | "auto" | undefined;
  /** Milliseconds between PINGs on an HTTP/2 connection while it is used. Default 30,000; 0 is none. */
  readonly pingIntervalMs?: number | undefined;
  /** Milliseconds of silence after a PING until the connection counts as dead. Default 15,000. */
  readonly pingTimeoutMs?: number | undefined;
  /** Milliseconds until a connection, its TLS handshake included, must stand. Default 30,000; 0 is no limit. */
  readonly connectTimeoutMs?: number | undefined;
  /** Milliseconds until the headers of a response must be there. Default 75,000; 0 is no limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** Milliseconds for a whole call where the call says nothing. Default 300,000; 0 is no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds until one attempt of a call must have the headers of its answer, also where the call names a longer time; a read
   * that has none by then is sent again within its time. Default 0: an attempt may take all of it.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** How often a call may be repeated: after answers with Retry-After, reads also after broken connections. Default 10; 0 is never. */
  readonly maxRetries?: number | undefined;
  /**
   * How many requests may go out: `qps` a second in the long run, `burst` at once after a pause; or a limiter that several clients
   * share. Repetitions count, the first attempt of a stream does not. Default: no limit, the server has its own.
   */
  readonly rateLimit?: RateLimiter | RateLimitOptions | undefined;
  /** Do not ask for gzip. Default false. */
  readonly disableCompression?: boolean | undefined;
  /** Called with each warning that a response carries (deprecated kinds, unknown fields). Default: nobody. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Behaviour around every request, outermost first. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Sizes that responses may have: `maxHeaderBytes`, `maxInflatedBytes`, `maxInflateRatio` and `maxSmallGzipMembers` are checked here. */
  readonly limits?: Partial<Limits> | undefined;
  readonly clock?: Clock | undefined;
}

/** The numbers used where none are given. */
export const transportDefaults = {
  /**
   * Measured with a server that needs 5 ms, concurrency 50, TLS: 50 connections take 137 us a call, 10 take
   * 593 us, each further one costs the server a handshake and memory. 16 is enough for a busy controller.
   */
  connections: 16,
  /** Dial timeout of client-go; here the TLS handshake is in it. */
  connectTimeoutMs: 30_000,
  /** An API server ends a call after 60 s by itself, with a better message than ours. */
  headersTimeoutMs: 75_000,
  /** A list of 50,000 pods over a slow line is done in this time. */
  timeoutMs: 300_000,
  /** client-go's number of retries. */
  maxRetries: 10,
  /** client-go's times for a silent HTTP/2 connection. */
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  /** An API server closes idle connections after 90 s, common load balancers after 60 s: be before them. */
  keepAliveMs: 55_000,
  /** Idle time before TCP probes a connection, as client-go's dialer: finds dead peers of silent watches. */
  tcpKeepAliveMs: 30_000,
} as const;

/** Options with every default filled in. */
export interface TransportSettings {
  readonly server: ServerAddress;
  readonly tls: TlsOptions;
  readonly tlsFiles: TlsFiles | undefined;
  readonly auth: Credentials | undefined;
  readonly impersonate: Impersonation | undefined;
  readonly proxy: ProxyAddress | undefined;
  readonly proxyCa: Pem | undefined;
  readonly userAgent: string;
  readonly connections: number;
  readonly http2: boolean | "auto";
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly maxRetries: number;
  readonly limiter: RateLimiter | undefined;
  readonly disableCompression: boolean;
  readonly onWarning: ((warning: Warning) => void) | undefined;
  readonly interceptors: readonly Interceptor[];
  readonly limits: Limits;
  readonly clock: Clock;
}

/**
 * Fills the defaults and refuses what cannot be.
 *
 * @throws {KubeError} `Config`; `InvalidArgument` for an option that there is not.
 */
export function fillDefaults(options: TransportOptions): TransportSettings {
  assertTransportOptions(options);
  const tls = options.tls ?? {};
  const server = parseServer(options.server, tls);
  if (tls.insecureSkipVerify && tls.ca) {
    throw new KubeError("Config", "a CA together with insecureSkipVerify", {
      hint: "either verify the server with the CA or skip the verification",
    });
  }
  if (Boolean(tls.cert) !== Boolean(tls.key)) {
    throw new KubeError("Config", "a client certificate and its key belong together", {
      hint: `the ${tls.cert ? "key" : "certificate"} is missing`,
    });
  }
  const maySendCredentials = server.secure || options.credentialsOverHttp === true;
  const settings: TransportSettings = {
    server,
    tls,
    tlsFiles: server.secure ? options.tlsFiles : undefined,
    auth: maySendCredentials ? options.auth : undefined,
    // Also over plain http, as client-go: it is no secret, and without it requests would be judged by greater rights.
    impersonate: options.impersonate,
    proxy: options.proxy === undefined ? undefined : parseProxy(options.proxy),
    proxyCa: options.proxyCa,
    userAgent: options.userAgent ?? defaultUserAgent(),
    connections: options.connections ?? transportDefaults.connections,
    http2: options.http2 ?? "auto",
    pingIntervalMs: options.pingIntervalMs ?? transportDefaults.pingIntervalMs,
    pingTimeoutMs: options.pingTimeoutMs ?? transportDefaults.pingTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? transportDefaults.connectTimeoutMs,
    headersTimeoutMs: options.headersTimeoutMs ?? transportDefaults.headersTimeoutMs,
    timeoutMs: options.timeoutMs ?? transportDefaults.timeoutMs,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 0,
    maxRetries: options.maxRetries ?? transportDefaults.maxRetries,
    limiter: rateLimiterOf(options.rateLimit, options.clock ?? systemClock),
    disableCompression: options.disableCompression ?? false,
    onWarning: options.onWarning,
    interceptors: options.interceptors ?? [],
    limits: { ...defaultLimits, ...definedOnly(options.limits ?? {}) },
    clock: options.clock ?? systemClock,
  };
  checkNumbers(settings);
  return settings;
}

/** Without the members that are there but undefined, which would hide a default. */
function definedOnly<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
