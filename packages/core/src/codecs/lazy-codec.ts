import type { Codec, WireWatchEvent } from "./codec.js";

/** What is known of a codec without its code. */
export type CodecHead = Pick<Codec, "mediaType" | "name" | "watchMediaType">;

/**
 * A codec whose code is loaded with the first body: most programs speak one or two encodings, and the code of each is a
 * good part of what importing this package costs.
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

/** What an iterable that is still to come yields; it goes on without a step of ours between. */
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
        // Whoever opened nothing must still let go of the bytes.
        const ended: AsyncIterator<unknown> = opened ?? source[Symbol.asyncIterator]();
        await ended.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
