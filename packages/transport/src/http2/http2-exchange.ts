import { validateHeaderName, validateHeaderValue } from "node:http";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  sensitiveHeaders,
} from "node:http2";
import { Readable } from "node:stream";
import { KubeError } from "@typekube/core";
import type { WholeRequest, WireController, WireHandler } from "../exchange/wire.js";

/** A request to send over a session. */
export interface Http2Request {
  readonly request: WholeRequest;
  readonly handler: WireHandler;
  /** Number of times that a server has returned it unprocessed. */
  refusals: number;
}

/** The session of an exchange, as far as the exchange affects it. */
export interface Http2ExchangeOwner {
  /** Bytes that the headers of a response may have. */
  readonly maxHeaderBytes: number;
  /** Called when anything arrives from the server. */
  received(): void;
  /**
   * Called when the server has not processed the request, so that it may be sent again whatever its method. Returns
   * false when the handler must get the error.
   */
  refused(request: Http2Request): boolean;
  /** Called when the server requires HTTP/1.1 for the request and has not processed it. */
  needsHttp1(request: Http2Request): void;
  /** Highest stream id that the server may have processed, from its GOAWAY; streams above it were not. */
  readonly lastStreamId: number;
  /** Called once per started stream, when it closes. */
  over(): void;
}

/**
 * Sends a request on its own stream. Sends nothing when the caller has aborted it.
 *
 * @returns true when a stream was started.
 */
export function sendOverHttp2(
  session: ClientHttp2Session,
  item: Http2Request,
  owner: Http2ExchangeOwner,
): boolean {
  const exchange = new Http2Exchange(item, owner);
  try {
    item.handler.onRequestStart(exchange);
  } catch {
    return false;
  }
  return exchange.start(session);
}

/** One request and its response on one stream. */
class Http2Exchange implements WireController {
  /** Node slices its chunks from reads for all streams of the session. */
  readonly sharesChunks = true;
  readonly #item: Http2Request;
  readonly #handler: WireHandler;
  readonly #owner: Http2ExchangeOwner;
  #stream: ClientHttp2Stream | undefined;
  #hasResponse = false;
  #hasEndFlag = false;
  #received = 0;
  #expected: number | undefined;
  #isOver = false;

  constructor(item: Http2Request, owner: Http2ExchangeOwner) {
    this.#item = item;
    this.#handler = item.handler;
    this.#owner = owner;
  }

  start(session: ClientHttp2Session): boolean {
    const { method, path, headers, body } = this.#item.request;
    let stream: ClientHttp2Stream;
    try {
      checkFields(path, headers);
      stream = session.request(
        { ...headers, ":method": method, ":path": path },
        { endStream: body === null || body.byteLength === 0 },
      );
    } catch (error) {
      // A session that has just ended throws; the request was never sent then.
      this.#fail(error as Error, session.closed || session.destroyed);
      return false;
    }
    this.#stream = stream;
    this.#watchForEndFlag(stream);
    stream.on("response", this.#onResponse).on("error", this.#onError).on("close", this.#onClose);
    if (body !== null && body.byteLength > 0) {
      stream.end(body);
    }
    return true;
  }

  abort(): void {
    this.#isOver = true;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    // Paused bytes would keep a closed stream from being released.
    this.#stream?.resume();
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  readonly #onResponse = (headers: IncomingHttpHeaders): void => {
    this.#owner.received();
    const stream = this.#stream;
    if (this.#isOver || !stream) {
      return;
    }
    this.#hasResponse = true;
    const fields: IncomingHttpHeaders = { ...headers };
    const status = Number(fields[":status"]);
    delete fields[":status"];
    // Node adds a symbol that is not a header, for fields that must not be compressed.
    delete (fields as Record<symbol, unknown>)[sensitiveHeaders];
    if (bytesOf(fields) > this.#owner.maxHeaderBytes) {
      stream.close(constants.NGHTTP2_CANCEL);
      this.#fail(headersOverflow(), false);
      return;
    }
    const length = fields["content-length"];
    const { method } = this.#item.request;
    const hasNoBody = method === "HEAD" || status === 304;
    this.#expected = length === undefined || hasNoBody ? undefined : Number(length);
    this.#handler.onResponseStart(this, status, fields);
    // Attached only now: Node emits headers one tick after they arrive, but bytes at once.
    stream.on("data", this.#onData).on("end", this.#onEnd);
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#owner.received();
    if (!this.#isOver) {
      this.#received += chunk.byteLength;
      this.#handler.onResponseData(this, chunk);
    }
  };

  readonly #onEnd = (): void => {
    if (this.#isOver) {
      return;
    }
    const isWhole = this.#expected === undefined || this.#received === this.#expected;
    if (this.#hasResponse && this.#hasEndFlag && isWhole) {
      this.#isOver = true;
      this.#handler.onResponseEnd(this);
    }
  };

  /**
   * Watches for the end flag. Node ends a body also when its stream was reset with NO_ERROR, and when a server breaks
   * the session off. Only the order distinguishes them: a true end arrives while the stream is open.
   */
  #watchForEndFlag(stream: ClientHttp2Stream): void {
    stream.push = (chunk: unknown) => {
      if (chunk === null && !stream.closed) {
        this.#hasEndFlag = true;
      }
      return Readable.prototype.push.call(stream, chunk);
    };
  }

  readonly #onError = (error: Error): void => this.#fail(error, this.#wasRefused());

  readonly #onClose = (): void => {
    if (!this.#isOver) {
      // The stream was reset without an error code, or the session ended without a reason.
      this.#fail(cutShort(), this.#wasRefused());
    }
    this.#owner.over();
  };

  #wasRefused(): boolean {
    const stream = this.#stream;
    return (
      !this.#hasResponse &&
      // A stream without an id was never sent.
      (stream?.id === undefined ||
        stream.id > this.#owner.lastStreamId ||
        stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
    );
  }

  #fail(error: Error, isRefused: boolean): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    if (this.#needsHttp1()) {
      this.#owner.needsHttp1(this.#item);
    } else if (!isRefused || !this.#owner.refused(this.#item)) {
      this.#handler.onResponseError(this, this.#isCalmed() ? calmed(error) : error);
    }
  }

  #needsHttp1(): boolean {
    return !this.#hasResponse && this.#stream?.rstCode === constants.NGHTTP2_HTTP_1_1_REQUIRED;
  }

  /**
   * Returns true for a reset or a GOAWAY with ENHANCE_YOUR_CALM. Header limits end differently: see
   * `minNodeHeaderBytes`.
   */
  #isCalmed(): boolean {
    return this.#stream?.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM;
  }
}

/** Returns the approximate size of headers in HTTP/1.1. */
function bytesOf(headers: IncomingHttpHeaders): number {
  let bytes = 0;
  for (const name in headers) {
    bytes += name.length + String(headers[name]).length + 4;
  }
  return bytes;
}

function headersOverflow(): Error {
  return Object.assign(new Error("response headers overflow"), {
    code: "UND_ERR_HEADERS_OVERFLOW",
  });
}

function calmed(cause: Error): Error {
  return Object.assign(new Error("ENHANCE_YOUR_CALM", { cause }), { code: "H2_CALM" });
}

function cutShort(): Error {
  return Object.assign(new Error("the stream was closed early"), { code: "UND_ERR_SOCKET" });
}

/** Connection headers of HTTP/1.1, which HTTP/2 does not allow (RFC 9113 §8.2.2). */
const ofConnections: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Validates path and headers. HTTP/2 carries any bytes, but when a proxy forwards them over HTTP/1.1 they must not
 * become another header or request. An invalid name would end the whole session, or its request would never be sent.
 */
function checkFields(path: string, headers: Readonly<Record<string, unknown>>): void {
  if (/[^\x21-\xff]/.test(path)) {
    throw new KubeError("InvalidArgument", "the request cannot be sent: invalid request path");
  }
  try {
    for (const name in headers) {
      validateHeaderName(name);
      validateHeaderValue(name, headers[name] as string);
      // Headers from an interceptor may have any case.
      const key = name.toLowerCase();
      if (ofConnections.has(key) && !(key === "te" && headers[name] === "trailers")) {
        throw new TypeError(`the header ${name} is not allowed in HTTP/2`);
      }
    }
  } catch (cause) {
    throw new KubeError("InvalidArgument", "the request cannot be sent: an invalid header", {
      cause,
    });
  }
}
