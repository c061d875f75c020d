import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { anonymously } from "../access/authenticate.js";
import type { UserBook } from "../access/user-book.js";
import { administrator } from "../objects/user.js";
import type { Authority, CertifiedName } from "../tls/authority.js";
import type { Incoming, Outgoing } from "./http-message.js";
import { assertSafe, defaultListenLimits, type ListenOptions } from "./listen-options.js";
import { type ListeningServer, makeServer, namesOf } from "./make-server.js";
import { callerOf, type ListenerContext, serveRequest, tooManyWatches } from "./serve-request.js";
import { closeServer, cutAll, trackSockets } from "./tracked-sockets.js";
import { upgradeSocket } from "./upgrade-socket.js";
import { handshakeOf, staysOpen, withoutUpgrade } from "./without-upgrade.js";
import { type KubeconfigTarget, writeKubeconfig } from "./write-kubeconfig.js";

export type { ListenLimits, ListenOptions } from "./listen-options.js";

/** An open listener. */
export interface Listener {
  /** URL of the listener, such as `https://127.0.0.1:41234`. */
  readonly server: string;
  /** Bearer token of an administrator. */
  readonly token: string;
  /** CA certificate of the listener as PEM; absent without TLS. */
  readonly certificateAuthority: string | undefined;
  /** Returns the options with which `connect` connects as an administrator. */
  connectOptions(): { readonly server: string; readonly token: string; readonly ca?: string };
  /** Issues a client certificate for a user, as PEM. Useful over TLS only. */
  clientCertificate(user: CertifiedName): { readonly cert: string; readonly key: string };
  /** Writes a kubeconfig that only its owner can read, and makes its context the current one. */
  writeKubeconfig(path: string, target?: KubeconfigTarget): Promise<void>;
  /**
   * Invalidates {@link token}, as if it had expired.
   *
   * @returns the new token, which `token` and `connectOptions()` now contain too.
   */
  renewToken(): string;
  /** Serves new connections with another certificate of the same authority, and closes the existing connections. */
  renewCertificate(): void;
  /** Closes the listener and its connections. With `isGraceful`, responses that have begun are completed first. */
  close(options?: { readonly isGraceful?: boolean }): Promise<void>;
}

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

/** A server that accepts connections, and what its listener controls. */
interface OpenServer extends Pick<ListenerParts, "authority" | "users"> {
  readonly server: ListeningServer;
  readonly sockets: ReadonlySet<Socket>;
  /** Responses in progress. */
  readonly responses: ReadonlySet<Promise<void>>;
  /** The authority of the server's certificate; absent without TLS. */
  readonly certified: Authority | undefined;
  readonly host: string;
  readonly url: string;
}

/** Returns the listener of an open server, with a token for an administrator. */
function listenerOf(open: OpenServer, firstToken: string = newToken()): Listener {
  const { server, sockets, users, certified, url } = open;
  let token = firstToken;
  let forget = users.add(token, administrator);
  const certificateAuthority = certified?.cert;
  const ca = certificateAuthority === undefined ? {} : { ca: certificateAuthority };
  return {
    server: url,
    get token() {
      return token;
    },
    certificateAuthority,
    connectOptions: () => ({ server: url, token, ...ca }),
    clientCertificate(user) {
      const { cert, key } = open.authority().client(user);
      return { cert, key };
    },
    writeKubeconfig: (path, target) => writeKubeconfig(path, { server: url, token, ...ca }, target),
    renewToken() {
      forget();
      token = newToken();
      forget = users.add(token, administrator);
      return token;
    },
    renewCertificate() {
      if (certified !== undefined && "setSecureContext" in server) {
        server.setSecureContext({ ...certified.server(namesOf(open.host)), ca: certified.cert });
      }
      cutAll(sockets);
    },
    async close({ isGraceful = false } = {}) {
      forget();
      if (isGraceful) {
        await Promise.all(open.responses);
      }
      await closeServer(server, sockets);
    },
  };
}

function urlOf({ address, family, port }: AddressInfo, tls: boolean): string {
  const everywhere = address === "0.0.0.0" || address === "::";
  const name = everywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}
