import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { newWebSocketKey } from "@typekube/core/internal/streams";
import { WebSocketConnection } from "@typekube/transport/internal";
import { failure } from "../errors/status-errors.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { Upgrade } from "../request/upgrade.js";
import { switched } from "../response/switched.js";
import { type Backend, type BackendSources, findBackend } from "./backend.js";
import { requestHeaders, responseHeaders } from "./forwarded-headers.js";
import { httpOver } from "./http-over-socket.js";
import { relayMessages } from "./relay-messages.js";

/** A request to what is behind the API server. */
export interface ProxiedRequest extends BackendSources {
  readonly request: ResourceRequest;
  readonly http: HttpRequest;
  readonly signal: AbortSignal;
  readonly upgrade: Upgrade | undefined;
}

/**
 * Passes a request for the subresource `proxy` on to a pod, a pod of a Service, or a node, over a connection to the
 * handler of its port; `undefined` for other requests.
 *
 * @throws {StatusError} 400, 404 and 503 as real servers; 501 without a handler.
 */
export function connectProxy(proxied: ProxiedRequest): Promise<HttpResponse> | undefined {
  if (proxied.request.subresource !== "proxy") {
    return undefined;
  }
  const backend = findBackend(proxied, proxied.request);
  return backend && respond(proxied, backend);
}

async function respond(
  { server, http, signal, upgrade }: ProxiedRequest,
  backend: Backend,
): Promise<HttpResponse> {
  const [prefix, rest] = splitTarget(http.path);
  const { method, headers, body } = http;
  if (!rest.startsWith("/") && (method === "GET" || method === "HEAD") && upgrade === undefined) {
    // A page at a path without "/" would have links that lead elsewhere.
    return redirect(`${prefix}/${rest}`);
  }
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  const request: HttpRequest = {
    method,
    path,
    headers: {
      ...requestHeaders(headers, backend.host, prefix + path.replace(/\?.*$/s, "")),
      ...(upgrade === undefined ? {} : upgradeHeaders(upgrade)),
    },
    body,
    signal: AbortSignal.any([signal, server.closing]),
    mode: upgrade === undefined ? "stream" : "upgrade",
  };
  const response = await httpOver(
    backend.connect(),
    backend.scheme,
  )(request).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failure(
      503,
      "ServiceUnavailable",
      `error trying to reach service: ${(error as Error).message}`,
    );
  });
  if (response.upgraded === undefined || upgrade === undefined) {
    return { ...response, headers: responseHeaders(response.headers, backend.host, prefix) };
  }
  const protocol = response.headers["sec-websocket-protocol"];
  const { socket, head } = response.upgraded;
  const behind = new WebSocketConnection(socket, {
    role: "client",
    protocol: protocol ?? "",
    head,
  });
  return switched(relayMessages(upgrade.accept(protocol), behind));
}

/** Splits a target after the segment `proxy`; the rest is kept as the client wrote it. */
function splitTarget(target: string): readonly [prefix: string, rest: string] {
  const [prefix = ""] =
    /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(?=[/?]|$)/.exec(target) ?? [];
  return [prefix, target.slice(prefix.length)];
}

function upgradeHeaders({ protocols }: Upgrade): Record<string, string> {
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": newWebSocketKey(),
    ...(protocols.length === 0 ? {} : { "sec-websocket-protocol": protocols.join(", ") }),
  };
}

function redirect(location: string): HttpResponse {
  return {
    status: 301,
    headers: { location, "content-length": "0" },
    body: {
      async *[Symbol.asyncIterator]() {
        // No body.
      },
    },
  };
}
