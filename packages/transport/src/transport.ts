import {
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  type Interceptor,
  intercept,
  KubeError,
} from "@typekube/core";
import { authenticate } from "./authenticate.js";
import { openConnections } from "./connections.js";
import { acceptEncoding, decodeContent } from "./content-encoding.js";
import { describe, type Exchange, exchange } from "./exchange.js";
import { retry } from "./retry.js";
import {
  fillDefaults,
  type TransportOptions,
  type TransportSettings,
} from "./transport-options.js";
import { warnings } from "./warnings.js";

/** The way to one API server. Closing it ends what is still under way with code `Closed`. */
export interface Transport extends AsyncDisposable {
  readonly send: HttpSend;
  /** Where it goes, for messages: `https://host:port/prefix`. */
  readonly server: string;
  /** Ends everything; can be called again. */
  close(): Promise<void>;
}

/**
 * A transport on sockets. Nothing is opened before the first request, and idle connections do not keep a process alive.
 *
 * @example
 * await using transport = createTransport({ server: "https://127.0.0.1:6443", tls: { ca }, auth: bearerToken(token) });
 * const response = await transport.send({ method: "GET", path: "/version", headers: {}, mode: "call" });
 *
 * @throws {KubeError} `Config` when the options cannot work.
 */
export function createTransport(options: TransportOptions): Transport {
  const settings = fillDefaults(options);
  const connections = openConnections(settings);
  const active = new Set<Exchange>();
  const exchangeSettings = { ...settings, active };
  const { limits } = settings;
  // A stream lasts for hours, and each event of it has a limit of its own.
  const streamLimits = { ...limits, maxInflatedBytes: Number.POSITIVE_INFINITY };
  const defaultHeaders = {
    "user-agent": settings.userAgent,
    ...(settings.disableCompression ? {} : { "accept-encoding": acceptEncoding }),
  };
  let closing: Promise<void> | undefined;

  const wire = async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.signal?.aborted) {
      throw request.signal.reason;
    }
    if (closing !== undefined) {
      throw closedError();
    }
    const response = await exchange(
      connections.lease(request.mode),
      { ...request, headers: { ...defaultHeaders, ...request.headers } },
      exchangeSettings,
    );
    const isStream = request.mode === "stream";
    return decodeContent(response, isStream ? streamLimits : limits, describe(request));
  };

  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const exchange of active) {
        exchange.end(closedError());
      }
      await connections.destroy();
    })();
    return closing;
  };

  return {
    send: intercept(wire, behaviours(settings)),
    server: settings.server.origin + settings.server.basePath,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What surrounds the wire, outermost first: each attempt of a retry asks for credentials anew. */
function behaviours(settings: TransportSettings): Interceptor[] {
  return [
    ...settings.interceptors,
    ...(settings.onWarning ? [warnings(settings.onWarning)] : []),
    retry(settings),
    ...(settings.auth ? [authenticate(settings.auth)] : []),
  ];
}

function closedError(): KubeError {
  return new KubeError("Closed", "the transport is closed");
}
