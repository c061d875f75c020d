import { createGunzip } from "node:zlib";
import { KubeError } from "@typekube/core";

/**
 * Inflates a body while it arrives. What one chunk yields is delivered before the next is asked for, so each of
 * the gzip members that a server (1.37 and later) strings together for a streaming list comes out at once. The
 * source is read only on demand: nothing is left hanging on it when the reader stops.
 *
 * @param maxBytes - inflated bytes that may come out in all.
 */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflate = createGunzip();
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
  let total = 0;
  /** Yields what comes out until `isDone`. */
  async function* drain(isDone: () => boolean): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk = inflate.read() as Uint8Array | null;
      if (chunk !== null) {
        total += chunk.byteLength;
        if (total > maxBytes) {
          throw new KubeError("TooLarge", `a gzip body inflates to more than ${maxBytes} bytes`, {
            hint: "raise limits.maxBodyBytes if the server is right to send this much",
          });
        }
        yield chunk;
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
    let any = false;
    for await (const chunk of source) {
      any = true;
      let consumed = false;
      inflate.write(chunk, () => {
        consumed = true;
        wake();
      });
      yield* drain(() => consumed);
    }
    // An empty body is no gzip member; a server that answers HEAD or 204 may still name the encoding.
    if (any) {
      inflate.end();
      yield* drain(() => ended);
    }
  } catch (error) {
    throw error === failure ? gzipError(error) : error;
  } finally {
    inflate.destroy();
  }
}

function gzipError(error: unknown): KubeError {
  const cut = (error as { code?: unknown }).code === "Z_BUF_ERROR";
  return cut
    ? new KubeError("ConnectionClosed", "a gzip body ended in the middle", { cause: error })
    : new KubeError("Decode", "a body that calls itself gzip is none", { cause: error });
}
