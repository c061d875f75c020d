import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpMethod, HttpRequest, HttpResponse, WholeBytes } from "@typekube/core/internal";
import { isOn } from "../request/request-info.js";
import { targetUrl } from "../request/request-target.js";
import { gzipMember } from "./gzip-member.js";

/** A request over HTTP/1.1 or HTTP/2. */
export type Incoming = Http2ServerRequest | IncomingMessage;
/** The response to an {@link Incoming} request. */
export type Outgoing = Http2ServerResponse | ServerResponse;

/** Size above which responses are compressed for clients that accept gzip (apiserver `defaultGzipThresholdBytes`). */
const gzipAboveBytes = 128 * 1024;
/** Compression level of real servers; higher levels cost them more than they save. */
const gzipLevel = 1;
const gzipHeaders = { "content-encoding": "gzip", vary: "Accept-Encoding" };

const compress = promisify(gzip);

/**
 * Reads a whole request.
 *
 * @param maxBodyBytes - bytes to keep of a body. Of a longer one enough is kept to show that it is too long; the rest
 * is discarded.
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
    // Keep one chunk beyond the limit, so that the caller can detect the excess.
    if (bytes - chunk.byteLength <= maxBodyBytes) {
      chunks.push(chunk);
    }
  }
  return {
    ...headOf(incoming, signal),
    body: bytes === 0 ? undefined : Buffer.concat(chunks),
  };
}

/** Returns a request whose body is read while it arrives. */
export function streamedRequest(incoming: Incoming, signal: AbortSignal): HttpRequest {
  const head = headOf(incoming, signal);
  return hasBody(incoming) ? { ...head, body: incoming as AsyncIterable<Buffer> } : head;
}

/** Returns `true` when a request has a body. */
export function hasBody(incoming: Incoming): boolean {
  const { headers } = incoming;
  return "stream" in incoming
    ? !incoming.stream.endAfterHeaders
    : "content-length" in headers || "transfer-encoding" in headers;
}

/** Returns a request without its body. */
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

/**
 * Returns headers by lower-case name. Repeated headers are joined by commas, or by line feeds for `Impersonate-*`,
 * whose values may contain commas.
 */
export function headersOf(incoming: Incoming): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    // Names that begin with a colon are HTTP/2 pseudo-headers.
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

/** Writes a response, compressed if the client accepts gzip and real servers would compress it. */
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
    // Write headers and body at once: over TLS each write costs records, a system call and a wake-up of the client.
    outgoing.end(whole);
    return;
  }
  const isZippedStream =
    compressesStreamingLists && zipped && status === 200 && isStreamingList(incoming);
  outgoing.writeHead(status, isZippedStream ? { ...headers, ...gzipHeaders } : { ...headers });
  // Send the headers now: the client waits for them, and a watch may have no event for long. HTTP/2 has already sent
  // them.
  if ("flushHeaders" in outgoing) {
    // Not flushHeaders(): it would encode the headers as UTF-8, and they already are bytes.
    outgoing.write(nothing);
    // Node defers the write to the next tick, and the connection may be cut before that.
    outgoing.socket?.uncork();
  }
  let sent: Promise<void> | undefined;
  try {
    for await (const chunk of body) {
      // Each batch of events is its own gzip member, so that a reader need not wait for the next batch.
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
    // Bytes written before a failure are part of the response; resetting the connection now would drop them.
    await Promise.race([sent, closed(outgoing)]);
    throw error;
  }
  outgoing.end();
}

/** Returns a body that is already complete in memory; `undefined` otherwise. */
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

/**
 * Returns whether the client accepts gzip. Like real servers it looks for the exact word and, contrary to RFC 9110,
 * ignores members with a weight.
 */
function acceptsGzip({ headers }: Incoming): boolean {
  return String(headers["accept-encoding"] ?? "")
    .split(",")
    .some((member) => member.trim() === "gzip");
}

/**
 * Returns whether the request is a streaming list. Those are compressed (gate `WatchListCompression`, on in 1.37),
 * plain watches never.
 */
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
