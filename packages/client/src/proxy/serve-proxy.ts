import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, pipeline, Readable } from "node:stream";
import { pipeline as piped } from "node:stream/promises";
import { KubeError } from "@typekube/core";
import { assertOptions, type HttpMethod, type HttpRequest } from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { assertIsOptions } from "../options/call-options.js";
import type { ClientContext } from "../resource/client-context.js";
import { isOptionalUpgrade, readWithoutUpgrade } from "./optional-upgrade.js";
import { rejectionOf } from "./request-filter.js";
import { type ServeProxyOptions, serveProxyOptions } from "./serve-proxy-options.js";
import { cookiesIn } from "./set-cookies.js";

/** A local proxy to the API server. */
export interface LocalProxy extends AsyncDisposable {
  /** Address of the proxy: `http://127.0.0.1:8001`. */
  readonly url: string;
  readonly port: number;
  /** Closes the port and all connections. May be called repeatedly. */
  close(): Promise<void>;
}

/** Opens the proxy. See `client.serveProxy`. */
export async function serveProxy(
  context: ClientContext,
  options: ServeProxyOptions,
): Promise<LocalProxy> {
  assertIsOptions(options);
  assertOptions("client.serveProxy()", options, serveProxyOptions);
  const { host = "127.0.0.1", port = 0 } = options;
  const passing = new Passing(context, options);
  const server = createServer((incoming, outgoing) => void passing.request(incoming, outgoing));
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOptionalUpgrade(incoming)) {
      readWithoutUpgrade(server, incoming, socket, head);
    } else {
      void passing.upgrade(incoming, socket, head);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new KubeError("Config", `local port ${port} cannot be opened: ${cause.message}`, {
          cause,
          hint: "choose another port; 0 takes a free one",
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  // Later ones are those of single connections, which the system could not accept.
  server.on("error", (error) => options.onError?.(error));
  const { address, family, port: opened } = server.address() as AddressInfo;
  const close = async () => {
    context.lifetime.signal.removeEventListener("abort", onEnd);
    passing.end();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const onEnd = () => void close();
  context.lifetime.signal.addEventListener("abort", onEnd, { once: true });
  return {
    port: opened,
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${opened}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Headers of a connection, which a proxy does not pass on, and those that the client sets itself. */
const ofConnection =
  /^(?:accept-encoding|authorization|connection|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/** Passes requests on with the client's credentials. */
class Passing {
  readonly #context: ClientContext;
  readonly #options: ServeProxyOptions;
  readonly #sockets = new Set<Duplex>();

  constructor(context: ClientContext, options: ServeProxyOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Cuts the connections that were upgraded. */
  end(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  async request(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort(new Error("the client closed the connection")));
    const rejection = this.#rejectionOf(incoming);
    if (rejection !== undefined) {
      refuse(outgoing, 403, rejection);
      return;
    }
    try {
      const { status, headers, body } = await this.#context.send({
        ...this.#requestOf(incoming, gone.signal),
        mode: "stream",
        body: hasBody(incoming) ? incoming : undefined,
        timeoutMs: hasBody(incoming) ? 0 : undefined,
      });
      outgoing.writeHead(status, passedOn(headers));
      outgoing.flushHeaders();
      await piped(Readable.from(body, { objectMode: false }), outgoing);
    } catch (error) {
      if (!gone.signal.aborted) {
        this.#options.onError?.(error);
      }
      if (outgoing.headersSent) {
        outgoing.destroy();
      } else {
        refuse(outgoing, 502, error instanceof KubeError ? error.code : "Unknown");
      }
    }
  }

  async upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    const gone = new AbortController();
    socket.once("close", () => {
      this.#sockets.delete(socket);
      gone.abort(new Error("the client closed the connection"));
    });
    const rejection = this.#rejectionOf(incoming);
    if (rejection !== undefined) {
      socket.end(headOf(403, { "content-length": "0", connection: "close" }));
      return;
    }
    try {
      const request = this.#requestOf(incoming, gone.signal);
      const { connection = "Upgrade", upgrade = "websocket" } = incoming.headers;
      const { status, headers, body, upgraded } = await this.#context.send({
        ...request,
        headers: { ...request.headers, connection, upgrade },
        mode: "upgrade",
      });
      if (upgraded === undefined) {
        socket.write(headOf(status, { ...passedOn(headers), connection: "close" }));
        await piped(Readable.from(body, { objectMode: false }), socket);
        return;
      }
      socket.write(headOf(101, { ...headers, connection: "Upgrade", upgrade }));
      socket.write(upgraded.head);
      upgraded.socket.write(head);
      pipeline(upgraded.socket, socket, upgraded.socket, () => {
        upgraded.socket.destroy();
        socket.destroy();
      });
    } catch (error) {
      if (!gone.signal.aborted) {
        this.#options.onError?.(error);
      }
      socket.end(headOf(502, { "content-length": "0", connection: "close" }));
    }
  }

  #rejectionOf({ method = "GET", url = "/", headers }: IncomingMessage): string | undefined {
    const { host = "", origin } = headers;
    const fetchSite = headers["sec-fetch-site"]?.toString();
    const fetchUser = headers["sec-fetch-user"]?.toString();
    const request = { method, target: url, host, origin, fetchSite, fetchUser };
    return rejectionOf(request, this.#options);
  }

  #requestOf(
    { method = "GET", url = "/", headersDistinct }: IncomingMessage,
    signal: AbortSignal,
  ): HttpRequest {
    const somebody = this.#options.impersonate ?? this.#context.defaults.impersonate;
    const kept: Record<string, string> = {};
    const named = (headersDistinct["connection"] ?? [])
      .join()
      .toLowerCase()
      .split(/[\s,]+/);
    // Groups without their user would be added to the one that the client impersonates.
    const mayImpersonate = !somebody && headersDistinct["impersonate-user"] !== undefined;
    for (const [name, values = []] of Object.entries(headersDistinct)) {
      const isOfUser = name.startsWith("impersonate-");
      if (!ofConnection.test(name) && !named.includes(name) && (mayImpersonate || !isOfUser)) {
        // The values of an impersonation may contain commas; the transport repeats the header for each line.
        kept[name] = values.join(isOfUser ? "\n" : ", ");
      }
    }
    return {
      method: method as HttpMethod,
      path: url,
      headers: { ...kept, ...(somebody ? impersonationHeaders(somebody) : {}) },
      mode: "stream",
      signal,
      isRepeated: false,
    };
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return "content-length" in headers || "transfer-encoding" in headers;
}

function passedOn(headers: Readonly<Record<string, string>>): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "set-cookie" ? cookiesIn(value) : value]),
  );
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  const body = `${text}\n`;
  outgoing.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  outgoing.end(body);
}

function headOf(
  status: number,
  headers: Readonly<Record<string, string | readonly string[]>>,
): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return `${[`HTTP/1.1 ${status} ${status === 101 ? "Switching Protocols" : "Response"}`, ...lines].join("\r\n")}\r\n\r\n`;
}
