import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { anonymously, type Caller } from "../access/authenticate.js";
import { administrator } from "../access/user.js";
import type { UserBook } from "../access/user-book.js";
import type { Handler } from "../handler.js";
import { isOn } from "../request/request-info.js";
import { plainJson } from "../response/response-format.js";
import { objectResponse } from "../response/responses.js";
import { entityTooLarge, failure, type StatusError } from "../response/status-errors.js";
import type { Authority, CertifiedName } from "./authority.js";
import { certifiedUser } from "./certified-user.js";
import { type Incoming, type Outgoing, readRequest, writeResponse } from "./exchange.js";
import {
  assertSafe,
  defaultListenLimits,
  type ListenLimits,
  type ListenOptions,
} from "./listen-options.js";
import { closeServer, cutAll, trackSockets } from "./tracked-sockets.js";
import { upgradeSocket } from "./upgrade-socket.js";
import { type KubeconfigTarget, writeKubeconfig } from "./write-kubeconfig.js";

export type { ListenLimits, ListenOptions } from "./listen-options.js";

/** An open listener. */
export interface Listener {
  /** `https://127.0.0.1:41234`. */
  readonly server: string;
  /** What it lets in: the bearer token of an administrator. */
  readonly token: string;
  /** The certificate that vouches for it, as PEM; absent without TLS. */
  readonly certificateAuthority: string | undefined;
  /** What `connect` needs to come as an administrator. */
  connectOptions(): { readonly server: string; readonly token: string; readonly ca?: string };
  /** A client certificate for a user, as PEM. Means something over TLS only. */
  clientCertificate(user: CertifiedName): { readonly cert: string; readonly key: string };
  /** Writes a kubeconfig that only its owner can read, and makes its context the current one. */
  writeKubeconfig(path: string, target?: KubeconfigTarget): Promise<void>;
  /**
   * Lets nobody in with {@link token} any more: it has expired.
   *
   * @returns the token that takes its place; `token` and `connectOptions()` have it, too.
   */
  renewToken(): string;
  /** Shows another certificate of the same authority on new connections, and ends those that there are. */
  renewCertificate(): void;
  /** Ends it. Connections are cut, unless it `isGraceful`: then answers that were begun are completed. */
  close(options?: { readonly isGraceful?: boolean }): Promise<void>;
}

/** What a listener stands on. */
export interface ListenerParts {
  readonly handler: Handler;
  readonly users: UserBook;
  readonly authority: () => Authority;
  /** Whether streaming lists are compressed for who asks (gate `WatchListCompression`). */
  readonly compressesStreamingLists: boolean;
  /** Whether client certificates may say the uid of their user (gate `AllowParsingUserUIDFromCertAuth`). */
  readonly readsCertifiedUids: boolean;
}

/** Serves a handler over HTTP/1.1 and, with TLS, over HTTP/2. */
export async function listen(parts: ListenerParts, options: ListenOptions): Promise<Listener> {
  assertSafe(options);
  const { port = 0, host = "127.0.0.1", tls = true, anonymous = false } = options;
  const limits = { ...defaultListenLimits, ...options.limits };
  let token = options.token ?? newToken();
  const authority = tls ? parts.authority() : undefined;
  const server = makeServer(limits, host, authority);
  const otherwise = anonymous ? anonymously : undefined;
  const { handler, compressesStreamingLists, readsCertifiedUids } = parts;
  const door: Door = {
    handler,
    compressesStreamingLists,
    readsCertifiedUids,
    limits,
    otherwise,
    watchers: { open: 0 },
  };
  const answers = new Set<Promise<void>>();
  server.on("request", (request: Incoming, response: Outgoing) => {
    const answering = answer(door, request, response).finally(() => answers.delete(answering));
    answers.add(answering);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { maxMessageBytes } = limits;
    const caller = callerOf(door, incoming);
    void upgradeSocket(door.handler, caller, incoming, { socket, head, maxMessageBytes });
  });
  const sockets = trackSockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  let forget = parts.users.add(token, administrator);
  const url = urlOf(server.address() as AddressInfo, tls);
  const certificateAuthority = authority?.cert;
  const ca = certificateAuthority === undefined ? {} : { ca: certificateAuthority };
  return {
    server: url,
    get token() {
      return token;
    },
    certificateAuthority,
    connectOptions: () => ({ server: url, token, ...ca }),
    clientCertificate: (user) => parts.authority().client(user),
    writeKubeconfig: (path, target) => writeKubeconfig(path, { server: url, token, ...ca }, target),
    renewToken() {
      forget();
      token = newToken();
      forget = parts.users.add(token, administrator);
      return token;
    },
    renewCertificate() {
      if (authority !== undefined && "setSecureContext" in server) {
        server.setSecureContext({ ...authority.server(namesOf(host)), ca: authority.cert });
      }
      cutAll(sockets);
    },
    async close({ isGraceful = false } = {}) {
      forget();
      if (isGraceful) {
        await Promise.all(answers);
      }
      await closeServer(server, sockets);
    },
  };
}

interface Door
  extends Pick<ListenerParts, "compressesStreamingLists" | "handler" | "readsCertifiedUids"> {
  readonly limits: ListenLimits;
  readonly otherwise: Caller["otherwise"];
  readonly watchers: { open: number };
}

function makeServer(
  limits: ListenLimits,
  host: string,
  authority: Authority | undefined,
): Http2SecureServer | Server {
  const {
    maxHeaderBytes: maxHeaderSize,
    headersTimeoutMs,
    requestTimeoutMs,
    idleTimeoutMs,
  } = limits;
  // Their own timeouts end watches; these are about requests that do not arrive.
  const timeouts = {
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeoutMs / 4)),
  };
  const server =
    authority === undefined
      ? createServer({ maxHeaderSize, ...timeouts })
      : createSecureServer({
          ...authority.server(namesOf(host)),
          ca: authority.cert,
          // Who has none may still show a token.
          requestCert: true,
          rejectUnauthorized: false,
          allowHTTP1: true,
          handshakeTimeout: headersTimeoutMs,
          // For those who speak HTTP/1.1 over TLS; the types of Node know of these for plain servers only.
          ...({ maxHeaderSize, ...timeouts } as object),
          settings: { maxHeaderListSize: maxHeaderSize, maxConcurrentStreams: 250 },
        });
  server.maxConnections = limits.maxConnections;
  server.on("session", (session: ServerHttp2Session) => endWhenIdle(session, idleTimeoutMs));
  return Object.assign(server, timeouts);
}

/** HTTP/1.1 ends such connections by itself; a quiet watch is a request. */
function endWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  let open = 0;
  session.on("stream", (stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
    });
  });
  session.setTimeout(idleMs);
  session.on("timeout", () => {
    if (open === 0) {
      session.destroy();
    }
  });
}

async function answer(door: Door, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const closed = new AbortController();
  outgoing.on("close", () => closed.abort(new Error("the client closed the connection")));
  const { limits, watchers } = door;
  const isWatcher = staysOpen(incoming);
  watchers.open += isWatcher ? 1 : 0;
  try {
    if (isWatcher && watchers.open > limits.maxWatchers) {
      const details = { retryAfterSeconds: 1 };
      const text = "Too many requests, please try again later.";
      await refuse(failure(429, "TooManyRequests", text, details), incoming, outgoing);
      return;
    }
    const request = await readRequest(incoming, closed.signal, limits.maxBodyBytes);
    if ((request.body?.byteLength ?? 0) > limits.maxBodyBytes) {
      await refuse(entityTooLarge(`limit is ${limits.maxBodyBytes}`), incoming, outgoing);
      return;
    }
    const response = await door.handler(request, { caller: callerOf(door, incoming) });
    await writeResponse(response, incoming, outgoing, door);
    await flushed(outgoing);
  } catch {
    // Whatever breaks an answer breaks the connection: the client must not take it for complete.
    reset(incoming, outgoing);
  } finally {
    watchers.open -= isWatcher ? 1 : 0;
  }
}

/** Waits until an answer has gone out, or nobody is there any more to have it. */
function flushed(outgoing: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.writableFinished || outgoing.destroyed) {
      resolve();
      return;
    }
    outgoing.once("finish", resolve);
    outgoing.once("close", resolve);
  });
}

async function refuse(
  { status }: StatusError,
  incoming: Incoming,
  outgoing: Outgoing,
): Promise<void> {
  const seconds = status.details?.retryAfterSeconds;
  const more = seconds === undefined ? {} : { "retry-after": String(seconds) };
  const response = await objectResponse(status.code ?? 500, status, plainJson, more);
  await writeResponse(response, incoming, outgoing);
}

function reset(incoming: Incoming, outgoing: Outgoing): void {
  if ("stream" in outgoing) {
    outgoing.stream.destroy(new Error("the answer broke off"));
  } else {
    (incoming.socket as Socket).resetAndDestroy();
  }
}

function callerOf(
  { otherwise, readsCertifiedUids }: Door,
  { socket, httpVersionMajor }: Incoming,
): Caller {
  const protocol = httpVersionMajor === 2 ? "HTTP/2" : "HTTP/1.1";
  const certified = certifiedUser(socket as Partial<TLSSocket>, readsCertifiedUids);
  // Who shows a faulty certificate may still show a token, but nobody is taken for anonymous after a failed attempt.
  return certified === "faulty" ? { protocol } : { protocol, certified, otherwise };
}

function staysOpen({ url = "/" }: Incoming): boolean {
  const { searchParams } = new URL(url, "http://server");
  return isOn(searchParams.get("watch")) || isOn(searchParams.get("follow"));
}

function urlOf({ address, family, port }: AddressInfo, tls: boolean): string {
  const everywhere = address === "0.0.0.0" || address === "::";
  const name = everywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What a listener's certificate is for. */
function namesOf(host: string): string[] {
  return [...new Set([host, "localhost", "127.0.0.1", "::1"])];
}
