import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpMethod, HttpRequest, HttpResponse, HttpSend } from "@typekube/core";
import { maxBodyBytes } from "./request-body.js";
import { isOn } from "./request-info.js";

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

/** Answers with more bytes than these are compressed for clients that ask (apiserver `defaultGzipThresholdBytes`). */
const gzipAboveBytes = 128 * 1024;
/** How hard real servers try; more costs them more than it saves. */
const gzipLevel = 1;

const compress = promisify(gzip);

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
  const zipped = acceptsGzip(incoming);
  if (zipped && Number(headers["content-length"] ?? 0) > gzipAboveBytes) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      chunks.push(chunk);
    }
    const bytes = await compress(Buffer.concat(chunks), { level: gzipLevel });
    const length = { "content-length": bytes.byteLength };
    outgoing.writeHead(status, { ...headers, ...gzipHeaders, ...length });
    outgoing.end(bytes);
    return;
  }
  const isZippedStream = zipped && status === 200 && isStreamingList(incoming);
  outgoing.writeHead(status, isZippedStream ? { ...headers, ...gzipHeaders } : headers);
  // A watch may have nothing to say for long; its client waits for the headers.
  outgoing.flushHeaders();
  for await (const chunk of body) {
    // Events that go out together are a gzip member of their own, so that a reader need not wait for the next ones.
    const bytes = isZippedStream ? await compress(chunk, { level: gzipLevel }) : chunk;
    if (!outgoing.write(bytes)) {
      await drained(outgoing);
    }
  }
  outgoing.end();
}

const gzipHeaders = { "content-encoding": "gzip", vary: "Accept-Encoding" };

/** As real servers read the header: the word must stand there as it is, without a weight. */
function acceptsGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers["accept-encoding"] ?? "";
  return String(accepted)
    .split(",")
    .some((member) => member.trim() === "gzip");
}

/** Plain watches are never compressed, streaming lists are (gate `WatchListCompression`, on in 1.37). */
function isStreamingList({ url = "/" }: IncomingMessage): boolean {
  const { searchParams } = new URL(url, "http://server");
  return isOn(searchParams.get("watch")) && isOn(searchParams.get("sendInitialEvents"));
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
