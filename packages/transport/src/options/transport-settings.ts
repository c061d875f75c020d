import { KubeError } from "@typekube/core";
import {
  type Clock,
  defaultLimits,
  type Interceptor,
  type Limits,
  systemClock,
} from "@typekube/core/internal";
import type { Credentials } from "../auth/credentials.js";
import type { Impersonation } from "../auth/impersonate.js";
import { type ProxyAddress, parseProxy } from "../proxy/proxy-address.js";
import type { Warning } from "../response/warnings.js";
import { type RateLimiter, rateLimiterOf } from "../retry/rate-limit.js";
import type { TlsFiles } from "../tls/tls-files.js";
import type { Pem, TlsOptions } from "../tls/tls-options.js";
import { assertNumbers, assertTransportOptions } from "./assert-transport-options.js";
import { parseServer, type ServerAddress } from "./server-address.js";
import { type TransportOptions, transportDefaults } from "./transport-options.js";
import { defaultUserAgent } from "./user-agent.js";

/** Transport options with all defaults filled in. */
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
 * Fills in the defaults and rejects invalid options.
 *
 * @throws {KubeError} `Config`; `InvalidArgument` for an unknown option.
 */
export function fillDefaults(options: TransportOptions): TransportSettings {
  assertTransportOptions(options);
  const tls = options.tls ?? {};
  const server = parseServer(options.server, tls);
  if (tls.insecureSkipVerify && tls.ca) {
    throw new KubeError("Config", "a CA cannot be combined with insecureSkipVerify", {
      hint: "either verify the server with the CA or skip the verification",
    });
  }
  if (Boolean(tls.cert) !== Boolean(tls.key)) {
    throw new KubeError("Config", "a client certificate and its key must be set together", {
      hint: `the ${tls.cert ? "key" : "certificate"} is missing`,
    });
  }
  const maySendCredentials = server.secure || options.credentialsOverHttp === true;
  const settings: TransportSettings = {
    server,
    tls,
    tlsFiles: server.secure ? options.tlsFiles : undefined,
    auth: maySendCredentials ? options.auth : undefined,
    // Over plain http too, as in client-go: it is no secret, and without it requests would run with greater
    // permissions.
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
  assertNumbers(settings);
  return settings;
}

/** Removes undefined members, which would override a default. */
function definedOnly<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
