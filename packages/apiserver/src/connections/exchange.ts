import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpMethod, HttpRequest, HttpResponse, WholeBytes } from "@typekube/core/internal";
import { isOn } from "../request/request-info.js";
import { targetUrl } from "../request/request-target.js";
import { gzipMember } from "./gzip-member.js";

/** A request as either version of HTTP gives it. */
export type Incoming = Http2ServerRequest | IncomingMessage;
/** Where its answer goes. */
export type Outgoing = Http2ServerResponse | ServerResponse;

/** Answers with more bytes than these are compressed for clients that ask (apiserver `defaultGzipThresholdBytes`). */
const gzipAboveBytes = 128 * 1024;
/** How hard real servers try; more costs them more than it saves. */
const gzipLevel = 1;
const gzipHeaders = { "content-encoding": "gzip", vary: "Accept-Encoding" };

const compress = promisify(gzip);

/**
 * Reads a whole request.
 *
 * @param maxBodyBytes - of a longer body only so much is kept as shows that it is longer; the rest is read and forgotten.
 */
export async function readRequest(
  incoming: Incoming,
  signal: AbortSignal,
  maxBodyBytes: number,
): Promise<HttpRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    // One byte too many is enough for the handler to refuse.
    if (bytes - chunk.byteLength <= maxBodyBytes) {
      chunks.push(chunk);
    }
  }
  return {
    ...headOf(incoming, signal),
    body: bytes === 0 ? undefined : Buffer.concat(chunks),
  };
}

/** A request without its body. */
export function headOf(incoming: Incoming, signal: AbortSignal): HttpRequest {
  return {
    method: (incoming.method ?? "GET") as HttpMethod,
    path: incoming.url ?? "/",
    headers: headersOf(incoming),
    body: undefined,
    signal,
    mode: "stream",
  };
}

/** Headers by their names in lower case, repeated ones joined: by commas, or by line ends where a comma may be part of a name. */
export function headersOf(incoming: Incoming): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    // Names that begin with a colon are HTTP/2's own.
    if (value !== undefined && !name.startsWith(":")) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
  }
  return { ...headers, ...impersonationHeaders(incoming.rawHeaders) };
}

function impersonationHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    if (name.startsWith("impersonate-")) {
      const before = headers[name];
      headers[name] = before === undefined ? (raw[at + 1] ?? "") : `${before}\n${raw[at + 1]}`;
    }
  }
  return headers;
}

const nothing = new Uint8Array(0);

/** Writes an answer, compressed where the client asks and real servers would. */
export async function writeResponse(
  { status, headers, body }: HttpResponse,
  incoming: Incoming,
  outgoing: Outgoing,
  { compressesStreamingLists = true }: { readonly compressesStreamingLists?: boolean } = {},
): Promise<void> {
  const zipped = acceptsGzip(incoming);
  if (zipped && Number(headers["content-length"] ?? 0) > gzipAboveBytes) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      chunks.push(chunk);
    }
    const bytes = await compress(Buffer.concat(chunks), { level: gzipLevel });
    const length = { "content-length": String(bytes.byteLength) };
    outgoing.writeHead(status, { ...headers, ...gzipHeaders, ...length });
    outgoing.end(bytes);
    return;
  }
  const whole = wholeOf(body);
  if (whole !== undefined) {
    outgoing.writeHead(status, { ...headers });
    // One write for headers and body: over TLS each has records, a system call and a wake-up of the client of its own.
    outgoing.end(whole);
    return;
  }
  const isZippedStream =
    compressesStreamingLists && zipped && status === 200 && isStreamingList(incoming);
  outgoing.writeHead(status, isZippedStream ? { ...headers, ...gzipHeaders } : { ...headers });
  // A watch may have nothing to say for long; its client waits for the headers. HTTP/2 has sent them by now.
  if ("flushHeaders" in outgoing) {
    // flushHeaders() would write them as UTF-8, and theirs are bytes already.
    outgoing.write(nothing);
    // What is written waits for the next tick, and a connection may be cut before.
    outgoing.socket?.uncork();
  }
  let sent: Promise<void> | undefined;
  try {
    for await (const chunk of body) {
      // Events that go out together are a gzip member of their own, so that a reader need not wait for the next ones.
      const bytes = isZippedStream ? await gzipMember(chunk, gzipLevel) : chunk;
      let isRoomy = true;
      if (bytes.byteLength > 0) {
        sent = new Promise((resolve) => {
          isRoomy = write(outgoing, bytes, resolve);
        });
      }
      if (!isRoomy) {
        await drained(outgoing);
      }
    }
  } catch (error) {
    // What was written before an answer breaks off is part of it; a connection that is reset would forget it.
    await Promise.race([sent, closed(outgoing)]);
    throw error;
  }
  outgoing.end();
}

/** The bytes of a body that is there already. */
function wholeOf(body: Partial<WholeBytes>): Uint8Array | undefined {
  const chunks = body.takeWhole?.();
  return chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

function write(outgoing: Outgoing, bytes: Uint8Array, sent: () => void): boolean {
  return "stream" in outgoing ? outgoing.write(bytes, sent) : outgoing.write(bytes, sent);
}

function closed(outgoing: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
    }
    outgoing.once("close", resolve);
  });
}

/** Real servers look for the word without a weight beside it, whatever RFC 9110 says. */
function acceptsGzip({ headers }: Incoming): boolean {
  return String(headers["accept-encoding"] ?? "")
    .split(",")
    .some((member) => member.trim() === "gzip");
}

/** Plain watches are never compressed, streaming lists are (gate `WatchListCompression`, on in 1.37). */
function isStreamingList({ url = "/" }: Incoming): boolean {
  const { searchParams } = targetUrl(url);
  return isOn(searchParams.get("watch")) && isOn(searchParams.get("sendInitialEvents"));
}

function drained(outgoing: Outgoing): Promise<void> {
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
