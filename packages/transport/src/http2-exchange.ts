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
import type { WireController, WireHandler, WireRequest } from "./wire.js";

/** A request on its way to a session. */
export interface Http2Request {
  readonly request: WireRequest;
  readonly handler: WireHandler;
  /** How often a server has handed it back without looking at it. */
  refusals: number;
}

/** Who is told what an exchange means for its session. */
export interface Http2ExchangeOwner {
  /** Bytes that the headers of a response may have. */
  readonly maxHeaderBytes: number;
  /** Something came from the server. */
  received(): void;
  /** The server has not looked at the request, so it may be sent again, whatever it does. False: the handler shall be told. */
  refused(request: Http2Request): boolean;
  /** The server wants the request over HTTP/1.1, having done nothing of it. */
  needsHttp1(request: Http2Request): void;
  /** Ids of streams above this one were not looked at: the server's GOAWAY says so. */
  readonly lastStreamId: number;
  /** The stream is gone. Told once for each that was begun. */
  over(): void;
}

/**
 * Sends a request on a stream of its own. When nobody wants it any more, nothing is sent.
 *
 * @returns whether a stream was begun.
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
  /** Node's chunks are parts of what was read for all streams of the session. */
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
      // A session that has just ended throws, and the request with it was never sent.
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
    // Paused bytes would keep a closed stream from being gone.
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
    // Node adds one that is no header, for what compression must not see.
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
    // Not before: Node tells of headers a tick later than they came, and of bytes at once.
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
   * Node ends a body also when its stream was reset with the code for no error, and when a server breaks a session off: only
   * the order tells. A true end comes while the stream is open.
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
      // Reset without an error code, or the session went without giving a reason.
      this.#fail(cutShort(), this.#wasRefused());
    }
    this.#owner.over();
  };

  #wasRefused(): boolean {
    const stream = this.#stream;
    return (
      !this.#hasResponse &&
      // Without an id it was never sent.
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

  /** True for a reset or a GOAWAY with ENHANCE_YOUR_CALM. Header limits end otherwise: see `minNodeHeaderBytes`. */
  #isCalmed(): boolean {
    return this.#stream?.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM;
  }
}

/** Bytes as HTTP/1.1 would send them, nearly. */
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

/** What HTTP/1.1 says of a connection; HTTP/2 has no place for it (RFC 9113 §8.2.2). */
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
 * HTTP/2 carries any bytes; what goes on to a server over HTTP/1.1 must not become another header or request. A name that is none
 * would end the whole session, or its request would never go out.
 */
function checkFields(path: string, headers: Readonly<Record<string, unknown>>): void {
  if (/[^\x21-\xff]/.test(path)) {
    throw new KubeError("InvalidArgument", "the request cannot be sent: invalid request path");
  }
  try {
    for (const name in headers) {
      validateHeaderName(name);
      validateHeaderValue(name, headers[name] as string);
      // Those of an interceptor have the case that it likes.
      const key = name.toLowerCase();
      if (ofConnections.has(key) && !(key === "te" && headers[name] === "trailers")) {
        throw new TypeError(`${name} is not for HTTP/2`);
      }
    }
  } catch (cause) {
    throw new KubeError("InvalidArgument", "the request cannot be sent: an invalid header", {
      cause,
    });
  }
}
