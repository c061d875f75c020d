import { type Clock, type HttpResponse, sleep } from "@typekube/core/internal";
import type { Work } from "../time/work.js";
import type { FaultRule } from "./fault-rule.js";
import { connectionReset, faultError } from "./faults.js";

/** Server state that fault injection uses. */
interface Stage {
  readonly clock: Clock;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly work: Work;
}

/**
 * Applies a fault to a request.
 *
 * @param reply - returns the response: the error response for the given error, otherwise the response of the server.
 * @throws {Error} the fault of a connection that is reset.
 */
export async function strike(
  server: Stage,
  rule: FaultRule,
  signal: AbortSignal,
  reply: (refusal: Error | undefined) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { clock, closing, work } = server;
  const ending = AbortSignal.any([signal, closing]);
  if (rule.delayMs !== undefined) {
    await work.aside(sleep(clock, rule.delayMs, ending));
  }
  if (rule.reset === true || rule.reset === "before") {
    throw connectionReset();
  }
  if (rule.hang) {
    return work.aside(aborted(ending));
  }
  const response = await reply(rule.status === undefined ? undefined : faultError(rule));
  if (rule.reset === "after") {
    throw connectionReset();
  }
  return response;
}

/** Returns the response with its body altered by the fault. */
export function spoiled(
  response: HttpResponse,
  rule: FaultRule,
  { clock, closing }: Stage,
  signal: AbortSignal,
): HttpResponse {
  const { drip, garbage, cutAfterBytes } = rule;
  let { body, headers } = response;
  if (garbage) {
    const { "content-length": _, ...others } = headers;
    headers = { ...others, "content-encoding": "gzip" };
    body = scrambled(body);
  }
  if (drip !== undefined) {
    const ending = AbortSignal.any([signal, closing]);
    body = dripping(body, drip.bytes, () => sleep(clock, drip.everyMs, ending));
  }
  if (cutAfterBytes !== undefined) {
    body = cut(body, cutAfterBytes);
  }
  return body === response.body ? response : { ...response, headers, body };
}

async function* cut(body: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes;
  for await (const chunk of body) {
    if (chunk.byteLength >= left) {
      yield chunk.subarray(0, left);
      throw connectionReset();
    }
    left -= chunk.byteLength;
    yield chunk;
  }
  throw connectionReset();
}

async function* dripping(
  body: AsyncIterable<Uint8Array>,
  bytes: number,
  pause: () => Promise<unknown>,
): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.byteLength; at += bytes) {
      await pause();
      yield chunk.subarray(at, at + bytes);
    }
  }
}

/** Yields a gzip header followed by bytes that are not valid gzip. */
async function* scrambled(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff);
  for await (const chunk of body) {
    yield chunk.map((byte) => byte ^ 0xa5);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
