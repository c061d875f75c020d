import { type IncomingMessage, request as startRequest } from "node:http";
import { type Duplex, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as startTls } from "node:tls";
import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";

/**
 * Returns a `send` for one HTTP/1.1 exchange on a socket, which ends with it. A response to an upgrade hands the socket
 * over.
 *
 * @param scheme - `https` speaks TLS and, as a kube-apiserver does, accepts any certificate.
 */
export function httpOver(plain: Duplex, scheme: "http" | "https"): HttpSend {
  return (request) =>
    new Promise((resolve, reject) => {
      const socket =
        scheme === "https" ? startTls({ socket: plain, rejectUnauthorized: false }) : plain;
      const { method, path, headers, body, signal } = request;
      const end = () => socket.destroy(signal?.reason);
      signal?.addEventListener("abort", end, { once: true });
      socket.once("close", () => signal?.removeEventListener("abort", end));
      const outgoing = startRequest({
        method,
        path,
        headers: { ...headers, ...framing(body, headers) },
        createConnection: () => socket,
      });
      outgoing.once("error", reject);
      outgoing.once("response", (incoming) => resolve(responseOf(incoming, socket)));
      outgoing.once("upgrade", (incoming: IncomingMessage, upgraded: Duplex, head: Buffer) =>
        resolve({ ...responseOf(incoming, socket), upgraded: { socket: upgraded, head } }),
      );
      sendBody(body, outgoing).catch(reject);
    });
}

/** Returns the header that says where the body ends; Node adds none to a DELETE. */
function framing(
  body: HttpRequest["body"],
  headers: HttpRequest["headers"],
): Record<string, number | string> {
  return body === undefined
    ? {}
    : body instanceof Uint8Array
      ? { "content-length": body.byteLength }
      : headers["content-length"] === undefined
        ? { "transfer-encoding": "chunked" }
        : {};
}

async function sendBody(body: HttpRequest["body"], outgoing: Writable): Promise<void> {
  if (body === undefined || body instanceof Uint8Array) {
    outgoing.end(body);
  } else {
    await pipeline(Readable.from(body), outgoing);
  }
}

function responseOf(incoming: IncomingMessage, socket: Duplex): HttpResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
  }
  return { status: incoming.statusCode ?? 502, headers, body: bodyOf(incoming, socket) };
}

async function* bodyOf(incoming: IncomingMessage, socket: Duplex): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming as AsyncIterable<Buffer>;
  } finally {
    socket.destroy();
  }
}
