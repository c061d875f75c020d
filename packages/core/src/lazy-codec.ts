import type { Codec, WireWatchEvent } from "./codecs/codec.js";

/** Properties of a codec that are known without its code. */
export type CodecHead = Pick<Codec, "mediaType" | "name" | "watchMediaType">;

/**
 * Returns a codec whose code is loaded with the first body. Most programs use one or two encodings, and the code of
 * each is a large part of the cost of importing this package.
 */
export function lazyCodec(head: CodecHead, load: () => Promise<Codec>): Codec {
  let codec: Codec | undefined;
  let loading: Promise<Codec> | undefined;
  const loaded = (): Promise<Codec> => {
    loading ??= load().then((it) => {
      codec = it;
      return it;
    });
    return loading;
  };
  return {
    ...head,
    prepare: async () => {
      await loaded();
    },
    encode: async (object, options) => (codec ?? (await loaded())).encode(object, options),
    decode: async (bytes, options) => (codec ?? (await loaded())).decode(bytes, options),
    encodeWatchEvent: async (event: WireWatchEvent) =>
      (codec ?? (await loaded())).encodeWatchEvent(event),
    decodeList: (source, options) =>
      codec?.decodeList(source, options) ??
      later(source, async () => (await loaded()).decodeList(source, options)),
    decodeWatch: (source, options) =>
      codec?.decodeWatch(source, options) ??
      later(source, async () => (await loaded()).decodeWatch(source, options)),
  };
}

/** Returns an iterable that opens another one on the first `next()` and then passes calls through. */
function later<T>(
  source: AsyncIterable<Uint8Array>,
  open: () => Promise<AsyncIterable<T>>,
): AsyncIterable<T> {
  let opened: AsyncIterator<T> | undefined;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        opened ??= (await open())[Symbol.asyncIterator]();
        return opened.next();
      },
      async return() {
        // The source must be released even if nothing was opened.
        const ended: AsyncIterator<unknown> = opened ?? source[Symbol.asyncIterator]();
        await ended.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
