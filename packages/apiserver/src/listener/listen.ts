import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { anonymously } from "../access/authenticate.js";
import type { UserBook } from "../access/user-book.js";
import type { Authority } from "../tls/authority.js";
import type { Incoming, Outgoing } from "./http-message.js";
import { assertSafe, defaultListenLimits, type ListenOptions } from "./listen-options.js";
import { type Listener, listenerOf } from "./listener.js";
import { type ListeningServer, makeServer } from "./make-server.js";
import { callerOf, type ListenerContext, serveRequest, tooManyWatches } from "./serve-request.js";
import { trackSockets } from "./tracked-sockets.js";
import { upgradeSocket } from "./upgrade-socket.js";
import { handshakeOf, staysOpen, withoutUpgrade } from "./without-upgrade.js";

/** Dependencies of a listener. */
export interface ListenerParts
  extends Pick<
    ListenerContext,
    "clock" | "compressesStreamingLists" | "handler" | "isKnown" | "readsCertifiedUids"
  > {
  readonly users: UserBook;
  readonly authority: () => Authority;
}

/** Serves a handler over HTTP/1.1 and, with TLS, also over HTTP/2. */
export async function listen(parts: ListenerParts, options: ListenOptions): Promise<Listener> {
  assertSafe(options);
  const { port = 0, host = "127.0.0.1", tls = true, anonymous = false } = options;
  const limits = { ...defaultListenLimits, ...options.limits };
  const authority = tls ? parts.authority() : undefined;
  const server = makeServer(limits, host, authority);
  const otherwise = anonymous ? anonymously : undefined;
  const context: ListenerContext = { ...parts, limits, otherwise, options, watchers: { open: 0 } };
  const responses = new Set<Promise<void>>();
  server.on("request", (request: Incoming, response: Outgoing) => {
    const responding = serveRequest(context, request, response).finally(() =>
      responses.delete(responding),
    );
    responses.add(responding);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(server, context, incoming, socket, head),
  );
  const sockets = trackSockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const url = urlOf(server.address() as AddressInfo, tls);
  return listenerOf(
    { ...parts, server, sockets, responses, certified: authority, host, url },
    options.token,
  );
}

/** Serves an upgrade to a WebSocket; a request for another protocol is answered without it. */
function upgrade(
  server: ListeningServer,
  context: ListenerContext,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { limits, watchers } = context;
  const handshake = handshakeOf(incoming);
  if (handshake === undefined) {
    withoutUpgrade(server, incoming, socket, head);
    return;
  }
  const caller = callerOf(context, incoming);
  const count = staysOpen(incoming) ? 1 : 0;
  watchers.open += count;
  const isTooMany = count > 0 && watchers.open > limits.maxWatchers;
  const handler = isTooMany ? tooManyWatches : context.handler;
  const upgraded = { socket, head, handshake, maxMessageBytes: limits.maxMessageBytes };
  void upgradeSocket(handler, caller, incoming, upgraded).finally(() => {
    watchers.open -= count;
  });
}

function urlOf({ address, family, port }: AddressInfo, tls: boolean): string {
  const everywhere = address === "0.0.0.0" || address === "::";
  const name = everywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `${tls ? "https" : "http"}://${name}:${port}`;
}
