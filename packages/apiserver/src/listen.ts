import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { HttpMethod, HttpRequest, HttpResponse, HttpSend } from "@typekube/core";
import { maxBodyBytes } from "./request-body.js";

/** Where to listen. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. There is no authentication: open it to a network only on purpose. */
  readonly host?: string | undefined;
}

/** An open listener. */
export interface Listener {
  /** `http://127.0.0.1:41234`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Answers from here on are compressed for clients that ask (apiserver `defaultGzipThresholdBytes`). */
const gzipFromBytes = 128 * 1024;

/** Serves a handler over HTTP/1.1. */
export async function listen(
  send: HttpSend,
  { port = 0, host = "127.0.0.1" }: ListenOptions,
): Promise<Listener> {
  const server = createServer((request, response) => {
    void answer(send, request, response);
  });
  // Watches are quiet for long; only their own timeouts end them.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => closeServer(server) };
}

async function answer(
  send: HttpSend,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const closed = new AbortController();
  outgoing.on("close", () => closed.abort(new Error("the client closed the connection")));
  try {
    const response = await send(await readRequest(incoming, closed.signal));
    await writeResponse(response, incoming, outgoing);
  } catch {
    // Whatever breaks an answer breaks the connection: the client must not take it for complete.
    incoming.socket.resetAndDestroy();
  }
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<HttpRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    // One byte too many is enough for the handler to refuse; the rest is read and forgotten.
    if (bytes - chunk.byteLength <= maxBodyBytes) {
      chunks.push(chunk);
    }
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
  }
  return {
    method: (incoming.method ?? "GET") as HttpMethod,
    path: incoming.url ?? "/",
    headers,
    body: bytes === 0 ? undefined : Buffer.concat(chunks),
    signal,
    mode: "stream",
  };
}

async function writeResponse(
  { status, headers, body }: HttpResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const length = Number(headers["content-length"] ?? 0);
  if (length >= gzipFromBytes && /\bgzip\b/.test(incoming.headers["accept-encoding"] ?? "")) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      chunks.push(chunk);
    }
    const zipped = gzipSync(Buffer.concat(chunks), { level: 1 });
    outgoing.writeHead(status, {
      ...headers,
      "content-encoding": "gzip",
      "content-length": zipped.byteLength,
    });
    outgoing.end(zipped);
    return;
  }
  outgoing.writeHead(status, headers);
  // A watch may have nothing to say for long; its client waits for the headers.
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (!outgoing.write(chunk)) {
      await drained(outgoing);
    }
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
