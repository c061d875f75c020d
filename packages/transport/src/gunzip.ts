import { createGunzip } from "node:zlib";
import { KubeError, type KubeErrorRequest } from "@typekube/core";
import { type Limits, type ReclaimedBytes, reclaimChunks } from "@typekube/core/internal";
import { freeChunk } from "./chunk-memory.js";
import { GzipMembers } from "./gzip-members.js";

/** What a compressed body may become. */
export type InflateLimits = Pick<
  Limits,
  "maxInflatedBytes" | "maxInflateRatio" | "maxSmallGzipMembers"
>;

/** Inflated bytes before the ratio is looked at: small bodies of one repeated thing are harmless. */
const ratioFreeBytes = 16 * 1024 * 1024;

/**
 * Bytes that come out at a time. Each time is a visit to another thread: with the 16 KiB that zlib has by default a list costs
 * half as much again.
 */
const inflatedChunkBytes = 64 * 1024;

/**
 * Inflates a body while it arrives. What one chunk yields is delivered before the next is asked for, so each of
 * the gzip members that a server (1.37 and later) strings together for a streaming list comes out at once. The
 * source is read only on demand: nothing is left hanging on it when the reader stops.
 *
 * @param request - named in errors.
 * @throws {KubeError} `TooLarge` beyond a limit, `Decode` for what is no gzip, `ConnectionClosed` for a cut member.
 */
export function gunzip(
  source: AsyncIterable<Uint8Array>,
  limits: InflateLimits,
  request?: KubeErrorRequest,
): ReclaimedBytes {
  // zlib has what it was given when it asks for more.
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
            // A generator that was never asked for anything ends without a look at what it would read.
            await source[Symbol.asyncIterator]().return?.();
          }
          return inflated.return();
        },
      };
    },
  };
}

/** @param letGo - told of each chunk when the next is asked for. */
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
  /** Yields what comes out until `isDone`. */
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
    // An empty body is no gzip member; a server that answers HEAD or 204 may still name the encoding.
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

/** Chunks of at most {@link inflatedChunkBytes}, so that limits are checked while a large chunk is inflated. */
async function* slices(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; at += inflatedChunkBytes) {
      yield chunk.subarray(at, at + inflatedChunkBytes);
    }
  }
}

/** Bytes that a member brings, on average, where members are worth their cost. */
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
