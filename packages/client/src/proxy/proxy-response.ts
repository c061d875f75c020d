import { STATUS_CODES } from "node:http";
import { isStatus } from "@typekube/core";
import {
  type HttpRequest,
  type HttpResponse,
  mediaTypes,
  parseMediaType,
} from "@typekube/core/internal";
import { errorFromResponse } from "@typekube/transport/internal";
import { type CallContext, errorOptions } from "../request/call-context.js";
import { cookiesIn } from "./set-cookies.js";

/** Bytes of an error response that are read to see whether it is the API server's. */
const maxStatusBytes = 64 * 1024;

/** Statuses whose responses have no body. (Fetch standard: "null body status") */
const withoutBody: readonly number[] = [101, 204, 205, 304];

/** Headers of the connection to the API server. */
const ofConnection: readonly string[] = [
  "connection",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
];

/**
 * Converts the response of a proxied request.
 *
 * @param redirect - `error` rejects a redirect; others are returned.
 * @throws {KubeError} the API server's own refusal, which is a Status.
 */
export async function proxyResponse(
  context: CallContext,
  request: HttpRequest,
  received: HttpResponse,
  redirect: Request["redirect"],
): Promise<Response> {
  const { status, headers } = received;
  const isHead = request.method === "HEAD";
  const body =
    status >= 400 && !isHead ? await unlessStatus(context, request, received) : received.body;
  if (redirect === "error" && status >= 300 && status < 400 && headers["location"] !== undefined) {
    await body[Symbol.asyncIterator]().return?.();
    throw new TypeError("fetch failed: the backend redirects, and redirect is error");
  }
  const shown = new Headers(
    Object.entries(headers).filter(([name]) => !ofConnection.includes(name)),
  );
  for (const cookie of cookiesIn(headers["set-cookie"] ?? "")) {
    shown.append("set-cookie", cookie);
  }
  const isEmpty = isHead || withoutBody.includes(status);
  if (isEmpty) {
    for await (const _ of body) {
      // Reading to the end frees the connection.
    }
  }
  return new Response(isEmpty ? null : streamOf(body), {
    status,
    statusText: STATUS_CODES[status] ?? "",
    headers: shown,
  });
}

/**
 * Returns the body of an error response, unless it is a Status with the response's code: then the API server itself
 * responds.
 *
 * @throws {KubeError} the error in the Status.
 */
async function unlessStatus(
  context: CallContext,
  request: HttpRequest,
  response: HttpResponse,
): Promise<AsyncIterable<Uint8Array>> {
  const { essence } = parseMediaType(response.headers["content-type"] ?? "");
  if (essence !== mediaTypes.json) {
    return response.body;
  }
  const chunks: Uint8Array[] = [];
  const source = response.body[Symbol.asyncIterator]();
  let bytes = 0;
  let isOver = false;
  while (!isOver && bytes <= maxStatusBytes && mayBeStatus(chunks)) {
    const { done, value } = await source.next();
    isOver = done === true;
    if (value !== undefined) {
      chunks.push(value);
      bytes += value.byteLength;
    }
  }
  const read = { ...response, body: afterwards(chunks, source) };
  if (isOver && isStatusOf(Buffer.concat(chunks), response.status)) {
    throw await errorFromResponse(request, read, errorOptions(context));
  }
  return read.body;
}

/** Returns `true` until the first characters say otherwise: API servers write `kind` first. */
function mayBeStatus(chunks: readonly Uint8Array[]): boolean {
  const text = Buffer.concat(chunks).subarray(0, 64).toString("latin1");
  return text.length < 16 || /^\s*\{\s*"(?:kind|apiVersion|metadata)"/.test(text);
}

function isStatusOf(bytes: Buffer, code: number): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isStatus(value) && value.status === "Failure" && value.code === code;
  } catch {
    return false;
  }
}

async function* afterwards(
  chunks: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) {
        return;
      }
      yield value;
    }
  } finally {
    await source.return?.();
  }
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done === true) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
