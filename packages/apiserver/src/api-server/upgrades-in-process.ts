import { type Duplex, duplexPair } from "node:stream";
import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import { webSocketAccept } from "@typekube/core/internal/streams";
import { WebSocketConnection } from "@typekube/transport/internal";
import type { Upgrade } from "../request/upgrade.js";

/** Handles a request of this process, which may ask for a WebSocket. */
export type UpgradingHandler = (
  http: HttpRequest,
  upgrade: Upgrade | undefined,
) => Promise<HttpResponse>;

/** Returns a `send` that also opens WebSockets: their connection is a pair of streams in memory. */
export function upgradesInProcess(handler: UpgradingHandler): HttpSend {
  return async (http) => {
    if (http.mode !== "upgrade") {
      return handler(http, undefined);
    }
    let switchedTo: { readonly protocol: string | undefined; readonly socket: Duplex } | undefined;
    const response = await handler(http, {
      protocols: (http.headers["sec-websocket-protocol"] ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== ""),
      accept(protocol) {
        const [socket, peer] = duplexPair();
        cutTogether(socket, peer);
        cutTogether(peer, socket);
        switchedTo = { protocol, socket };
        return new WebSocketConnection(peer, { role: "server", protocol: protocol ?? "" });
      },
    });
    if (switchedTo === undefined) {
      return response;
    }
    const { protocol, socket } = switchedTo;
    const end = () => socket.destroy(http.signal?.reason);
    http.signal?.addEventListener("abort", end, { once: true });
    socket.once("close", () => http.signal?.removeEventListener("abort", end));
    return {
      status: 101,
      headers: {
        "sec-websocket-accept": webSocketAccept(http.headers["sec-websocket-key"] ?? ""),
        ...(protocol === undefined ? {} : { "sec-websocket-protocol": protocol }),
      },
      body: response.body,
      upgraded: { socket, head: new Uint8Array(0) },
    };
  };
}

/** Cuts the other side of a pair when one side is cut; what was sent before an orderly end is still read. */
function cutTogether(side: Duplex, other: Duplex): void {
  side.once("close", () => {
    if (!side.writableEnded) {
      other.destroy();
    }
  });
}
