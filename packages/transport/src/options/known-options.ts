import { KubeError } from "@typekube/core";
import { assertKnownOptions, assertLimits, type OptionNames } from "@typekube/core/internal";
import type { RateLimitOptions } from "../retry/rate-limit.js";
import type { TlsOptions } from "../tls/tls-options.js";
import type { TransportOptions } from "./transport-options.js";

/** Options of a transport. A resolved configuration is accepted directly, so its namespace and context are allowed too. */
const ofTransport: OptionNames<keyof TransportOptions | "contextName" | "namespace"> = {
  attemptTimeoutMs: true,
  auth: true,
  clock: true,
  connections: true,
  connectTimeoutMs: true,
  contextName: true,
  credentialsOverHttp: true,
  disableCompression: true,
  headersTimeoutMs: true,
  http2: true,
  impersonate: true,
  interceptors: true,
  limits: true,
  maxRetries: true,
  namespace: true,
  onWarning: true,
  pingIntervalMs: true,
  pingTimeoutMs: true,
  proxy: true,
  proxyCa: true,
  rateLimit: true,
  server: true,
  timeoutMs: true,
  tls: true,
  tlsFiles: true,
  userAgent: true,
};

const ofTls: OptionNames<keyof TlsOptions> = {
  ca: true,
  cert: true,
  insecureSkipVerify: true,
  key: true,
  serverName: true,
};

const ofRateLimit: OptionNames<keyof RateLimitOptions> = { burst: true, qps: true };

/**
 * Rejects unknown options of a transport and of its parts. A custom limiter may have any members.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option.
 */
export function assertTransportOptions(options: TransportOptions): void {
  if (typeof options !== "object" || options === null) {
    const kind = options === null ? "null" : typeof options;
    throw new KubeError("InvalidArgument", `options: must be an object, not ${kind}`);
  }
  const { tls = {}, limits = {}, rateLimit = {} } = options;
  assertKnownOptions("a transport", options, ofTransport);
  assertKnownOptions("tls", tls, ofTls);
  assertLimits(limits);
  if (!("take" in rateLimit)) {
    assertKnownOptions("rateLimit", rateLimit, ofRateLimit);
  }
}
