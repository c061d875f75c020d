import type { Status } from "@typekube/core";
import type { HttpResponse, WholeBytes } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import { contentTypeOf, type ResponseFormat } from "../request/response-format.js";
import { encodeBody } from "./encode-body.js";

/** Headers that real servers send with every response. */
const commonHeaders = { "cache-control": "no-cache, private" };

/** Returns a response with a complete body. */
export function bytesResponse(
  status: number,
  contentType: string,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: {
      ...commonHeaders,
      "content-type": contentType,
      "content-length": String(bytes.byteLength),
      ...headers,
    },
    body: new OnePiece(bytes),
  };
}

/** Returns a plain text response, as used for health endpoints and unknown paths. */
export function textResponse(status: number, text: string): HttpResponse {
  return bytesResponse(status, "text/plain; charset=utf-8", Buffer.from(text, "utf8"), {
    "x-content-type-options": "nosniff",
  });
}

/** Returns a response with an object, list or Status in the negotiated format. */
export async function objectResponse(
  status: number,
  object: JsonObject | Status,
  format: ResponseFormat,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return bytesResponse(status, contentTypeOf(format), await encodeBody(object, format), headers);
}

/** Returns a response with a streaming body. */
export function streamResponse(contentType: string, body: AsyncIterable<Uint8Array>): HttpResponse {
  return { status: 200, headers: { ...commonHeaders, "content-type": contentType }, body };
}

/**
 * A body of one chunk. A class because nearly every response has one, and a generator would cost more than everything
 * else.
 */
class OnePiece implements WholeBytes {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  takeWhole(): readonly Uint8Array[] {
    return [this.#bytes];
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return new PieceIterator(this.#bytes);
  }
}

class PieceIterator implements AsyncIterator<Uint8Array, undefined> {
  #rest: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#rest = bytes.byteLength === 0 ? undefined : bytes;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#rest;
    this.#rest = undefined;
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#rest = undefined;
    return { done: true, value: undefined };
  }
}
