import { setMaxListeners } from "node:events";
import {
  callScope,
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  type Interceptor,
  intercept,
} from "@typekube/core/internal";
import { authenticate } from "./auth/authenticate.js";
import { impersonate, repeatedHeaders } from "./auth/impersonate.js";
import { acceptEncoding, decodeContent } from "./body/content-encoding.js";
import {
  type RotatingConnections,
  rotatingConnections,
} from "./connections/rotating-connections.js";
import { withinScope } from "./deadlines/within-scope.js";
import { closedError } from "./errors/closed-error.js";
import { describeRequest } from "./errors/describe-request.js";
import { exchange } from "./exchange/exchange.js";
import { observe, observeAttempts } from "./observe/observe.js";
import type { TransportOptions } from "./options/transport-options.js";
import { fillDefaults, type TransportSettings } from "./options/transport-settings.js";
import { warnings } from "./response/warnings.js";
import { retry } from "./retry/retry.js";
import { followTlsFiles, withTlsFiles } from "./tls/tls-files.js";

/** Sends requests to one API server. Closing it ends active requests with code `Closed`. */
export interface Transport extends AsyncDisposable {
  readonly send: HttpSend;
  /** Address of the server, for messages: `https://host:port/prefix`. */
  readonly server: string;
  /** Ends all requests and connections. Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Creates a transport on sockets. No connection is opened before the first request, and idle connections do not keep a
 * process alive.
 *
 * @example
 * ```ts
 * await using transport = createTransport({ server: "https://127.0.0.1:6443", tls: { ca }, auth: bearerToken(token) });
 * const response = await transport.send({ method: "GET", path: "/version", headers: {}, mode: "call" });
 * ```
 *
 * @throws {KubeError} `Config` when the options cannot work.
 */
export function createTransport(options: TransportOptions): Transport {
  const settings = fillDefaults(options);
  const connections = rotatingConnections(settings);
  const { limits } = settings;
  // A stream lasts for hours; each of its events has its own limit.
  const streamLimits = { ...limits, maxInflatedBytes: Number.POSITIVE_INFINITY };
  const defaultHeaders = {
    "user-agent": settings.userAgent,
    ...(settings.disableCompression ? {} : { "accept-encoding": acceptEncoding }),
  };
  const closed = new AbortController();
  // Calls that wait for credentials add listeners, in any number.
  setMaxListeners(0, closed.signal);
  let closing: Promise<void> | undefined;

  const wire = (request: HttpRequest): Promise<HttpResponse> => {
    if (request.signal?.aborted) {
      return Promise.reject(request.signal.reason);
    }
    if (closing !== undefined) {
      return Promise.reject(closedError(describeRequest(request)));
    }
    const scope = callScope();
    try {
      scope?.beforeAttempt?.(request);
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    const place = connections.lease(
      scope?.isUrgent && request.mode === "call" ? "urgent" : request.mode,
    );
    const headers = {
      ...defaultHeaders,
      ...(scope?.userAgentSuffix
        ? { "user-agent": settings.userAgent + scope.userAgentSuffix }
        : {}),
      ...repeatedHeaders(request.headers),
    };
    const allowed = withinScope(request, scope, settings);
    const finish = (response: HttpResponse) =>
      decodeContent(response, request.mode === "stream" ? streamLimits : limits, request);
    return exchange(place.lease, allowed, headers, place.settings, finish, scope);
  };

  const close = (): Promise<void> => {
    if (!closing) {
      const reason = closedError();
      closed.abort(reason);
      closing = connections.destroy(reason);
    }
    return closing;
  };

  return {
    send: intercept(wire, behaviours(settings, connections, closed.signal)),
    server: settings.server.origin + settings.server.basePath,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the interceptors of the transport, outermost first. Each attempt of a retry gets credentials again. */
function behaviours(
  settings: TransportSettings,
  connections: RotatingConnections,
  closing: AbortSignal,
): Interceptor[] {
  const { auth, clock, server, timeoutMs, tls, tlsFiles } = settings;
  const bounds = { clock, timeoutMs, closing };
  return [
    observe({ server, clock }),
    ...settings.interceptors,
    ...(settings.onWarning ? [warnings(settings.onWarning)] : []),
    ...(settings.impersonate ? [impersonate(settings.impersonate)] : []),
    retry({ ...settings, closing }),
    ...(auth ? [authenticate(auth, { ...bounds, onCertificate: connections.useCertificate })] : []),
    ...(tlsFiles
      ? [withTlsFiles(followTlsFiles(tlsFiles, tls, clock), connections.useTls, bounds)]
      : []),
    observeAttempts(clock),
  ];
}
