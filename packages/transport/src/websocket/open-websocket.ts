import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpSend } from "@typekube/core/internal";
import { newWebSocketKey, webSocketAccept } from "@typekube/core/internal/streams";
import { describeRequest } from "../errors/describe-request.js";
import { type ErrorFromResponseOptions, ensureOk } from "../errors/error-from-response.js";
import { WebSocketConnection, type WebSocketSettings } from "./connection.js";

/** A request for a WebSocket. */
export interface WebSocketRequest
  extends Pick<HttpRequest, "headers" | "path" | "signal" | "timeoutMs">,
    Pick<WebSocketSettings, "maxMessageBytes" | "maxUnreadBytes"> {
  /** Subprotocols to offer, the preferred one first. Without any, the server must not select one. */
  readonly protocols: readonly string[];
  /** How a refusal is read. Default: as any error response. */
  readonly errors?: ErrorFromResponseOptions | undefined;
}

/**
 * Opens a WebSocket on a connection of its own, with the credentials and the proxy of other requests. Aborting the
 * signal ends the handshake, and later the connection.
 *
 * @throws {KubeError} the error of a response other than 101; `Decode` for a 101 that no WebSocket server sends, or one
 * for a protocol that was not offered.
 */
export async function openWebSocket(
  send: HttpSend,
  { path, headers, signal, timeoutMs, protocols, errors, ...settings }: WebSocketRequest,
): Promise<WebSocketConnection> {
  const key = newWebSocketKey();
  const request: HttpRequest = {
    method: "GET",
    path,
    headers: {
      ...headers,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
      ...(protocols.length === 0 ? {} : { "sec-websocket-protocol": protocols.join(", ") }),
    },
    mode: "upgrade",
    signal,
    timeoutMs,
  };
  const response = await send(request);
  const { status, upgraded } = response;
  if (upgraded === undefined) {
    await ensureOk(request, response, errors);
    await response.body[Symbol.asyncIterator]().return?.();
    throw refusal(request, status, `the server answered HTTP ${status} instead of a WebSocket`);
  }
  const { "sec-websocket-accept": accept = "", "sec-websocket-protocol": protocol } =
    response.headers;
  const problem =
    accept !== webSocketAccept(key)
      ? `the server switched protocols without a valid Sec-WebSocket-Accept`
      : protocol === undefined && protocols.length > 0
        ? `the server selected none of the subprotocols ${protocols.join(", ")}`
        : protocol === undefined || protocols.includes(protocol)
          ? undefined
          : `the server selected the subprotocol ${protocol.slice(0, 100)}, which was not offered`;
  if (problem !== undefined) {
    upgraded.socket.on("error", () => {});
    upgraded.socket.destroy();
    throw refusal(request, status, problem);
  }
  return new WebSocketConnection(upgraded.socket, {
    ...settings,
    role: "client",
    protocol: protocol ?? "",
    head: upgraded.head,
  });
}

function refusal(request: HttpRequest, httpStatus: number, message: string): KubeError {
  return new KubeError("Decode", message, {
    httpStatus,
    request: describeRequest(request),
    hint: "the response may come from a proxy or load balancer that does not pass WebSockets on",
  });
}
