import { createGunzip } from "node:zlib";
import { KubeError, type KubeErrorRequest } from "@typekube/core";
import { type Limits, type ReclaimedBytes, reclaimChunks } from "@typekube/core/internal";
import { freeChunk } from "./chunk-memory.js";
import { GzipMembers } from "./gzip-members.js";

/** Limits for inflating a compressed body. */
export type InflateLimits = Pick<
  Limits,
  "maxInflatedBytes" | "maxInflateRatio" | "maxSmallGzipMembers"
>;

/** Inflated bytes below which the ratio is not checked: small repetitive bodies are harmless. */
const ratioFreeBytes = 16 * 1024 * 1024;

/**
 * Bytes of an inflated chunk. Each chunk takes a round trip to another thread: with zlib's default of 16 KiB a list
 * costs half as much again.
 */
const inflatedChunkBytes = 64 * 1024;

/**
 * Inflates a body as it arrives. The output of one chunk is delivered before the next chunk is requested, so that each
 * of the gzip members that a server (1.37 and later) concatenates for a streaming list comes out at once. The source is
 * read on demand only; no read is pending after the reader stops.
 *
 * @param request - named in errors.
 * @throws {KubeError} `TooLarge` beyond a limit, `Decode` for invalid gzip, `ConnectionClosed` for a truncated member.
 */
export function gunzip(
  source: AsyncIterable<Uint8Array>,
  limits: InflateLimits,
  request?: KubeErrorRequest,
): ReclaimedBytes {
  // zlib has consumed a chunk when it requests the next one.
  reclaimChunks(source);
  let letGo = (_chunk: Uint8Array): void => {};
  return {
    reclaimChunks() {
      letGo = freeChunk;
    },
    [Symbol.asyncIterator]() {
      const inflated = readInflated(source, limits, request, (chunk) => letGo(chunk));
      let isBegun = false;
      return {
        next() {
          isBegun = true;
          return inflated.next();
        },
        async return() {
          if (!isBegun) {
            // A generator that never started ends without cancelling its source.
            await source[Symbol.asyncIterator]().return?.();
          }
          return inflated.return();
        },
      };
    },
  };
}

/** @param letGo - called with each chunk when the next one is requested. */
async function* readInflated(
  source: AsyncIterable<Uint8Array>,
  limits: InflateLimits,
  request: KubeErrorRequest | undefined,
  letGo: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflate = createGunzip({ chunkSize: inflatedChunkBytes });
  let failure: Error | undefined;
  let ended = false;
  let wake = () => {};
  inflate.on("readable", () => wake());
  inflate.on("error", (error) => {
    failure = error;
    wake();
  });
  inflate.on("end", () => {
    ended = true;
    wake();
  });
  const members = new GzipMembers();
  let received = 0;
  let inflated = 0;
  /** Yields inflated chunks until `isDone` returns true. */
  async function* drain(isDone: () => boolean): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk = inflate.read() as Uint8Array | null;
      if (chunk !== null) {
        inflated += chunk.byteLength;
        checkSize(received, inflated, limits, request);
        yield chunk;
        letGo(chunk);
      } else if (failure) {
        throw failure;
      } else if (isDone()) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  try {
    for await (const chunk of slices(source)) {
      received += chunk.byteLength;
      members.add(chunk);
      let consumed = false;
      inflate.write(chunk, () => {
        consumed = true;
        wake();
      });
      yield* drain(() => consumed);
      checkMembers(members.count, inflated, limits, request);
    }
    // An empty body is not a gzip member; a response to HEAD or with status 204 may still name the encoding.
    if (received > 0) {
      inflate.end();
      yield* drain(() => ended);
    }
  } catch (error) {
    throw error === failure ? gzipError(error, request) : error;
  } finally {
    inflate.destroy();
  }
}

function checkSize(
  received: number,
  inflated: number,
  { maxInflatedBytes, maxInflateRatio }: InflateLimits,
  request: KubeErrorRequest | undefined,
): void {
  const isTooLong = inflated > maxInflatedBytes;
  if (isTooLong || (inflated > ratioFreeBytes && inflated > received * maxInflateRatio)) {
    const limit = isTooLong
      ? `maxInflatedBytes (${maxInflatedBytes} bytes)`
      : `maxInflateRatio allows (${maxInflateRatio} times its ${received} bytes)`;
    throw new KubeError("TooLarge", `a gzip body inflates to more than ${limit}`, {
      hint: `raise limits.${isTooLong ? "maxInflatedBytes" : "maxInflateRatio"} if you expect responses of this size`,
      request,
    });
  }
}

/** Splits chunks to at most {@link inflatedChunkBytes}, so that limits are checked while a large chunk is inflated. */
async function* slices(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; at += inflatedChunkBytes) {
      yield chunk.subarray(at, at + inflatedChunkBytes);
    }
  }
}

/** Average output in bytes that justifies the cost of a gzip member. */
const memberBytes = 64;

function checkMembers(
  members: number,
  inflated: number,
  { maxSmallGzipMembers }: InflateLimits,
  request: KubeErrorRequest | undefined,
): void {
  if (members > maxSmallGzipMembers + inflated / memberBytes) {
    throw new KubeError(
      "TooLarge",
      `a gzip body has more small members than maxSmallGzipMembers allows (${maxSmallGzipMembers} and one for each ${memberBytes} bytes)`,
      {
        hint: "raise limits.maxSmallGzipMembers if you expect this many",
        request,
      },
    );
  }
}

function gzipError(error: unknown, request: KubeErrorRequest | undefined): KubeError {
  const cut = (error as { code?: unknown }).code === "Z_BUF_ERROR";
  return cut
    ? new KubeError("ConnectionClosed", "a gzip body ended in the middle", {
        cause: error,
        request,
      })
    : new KubeError("Decode", "the response has content-encoding gzip but is not valid gzip", {
        cause: error,
        request,
      });
}
