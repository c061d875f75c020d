import type { Codec } from "./codecs/codec.js";
import { jsonCodec } from "./codecs/json/codec.js";
import { mediaTypes, parseMediaType } from "./codecs/media-type.js";
import { lazyCodec } from "./lazy-codec.js";

const protobufCodec = lazyCodec(
  {
    name: "protobuf",
    mediaType: mediaTypes.protobuf,
    watchMediaType: mediaTypes.protobufWatch,
  },
  async () => (await import("./codecs/protobuf/codec.js")).protobufCodec,
);

const cborCodec = lazyCodec(
  { name: "cbor", mediaType: mediaTypes.cbor, watchMediaType: mediaTypes.cborSequence },
  async () => (await import("./codecs/cbor/codec.js")).cborCodec,
);

const yamlCodec = lazyCodec(
  { name: "yaml", mediaType: mediaTypes.yaml, watchMediaType: mediaTypes.yaml },
  async () => (await import("./codecs/yaml/codec.js")).yamlCodec,
);

const byEssence: ReadonlyMap<string, Codec> = new Map([
  [mediaTypes.json, jsonCodec],
  [mediaTypes.protobuf, protobufCodec],
  [mediaTypes.cbor, cborCodec],
  [mediaTypes.cborSequence, cborCodec],
  [mediaTypes.yaml, yamlCodec],
]);

/** Encodings that TypeKube supports. */
export interface Codecs {
  readonly json: Codec;
  readonly protobuf: Codec;
  readonly yaml: Codec;
  readonly cbor: Codec;
  /** Returns the codec for a body of this Content-Type; `undefined` when the type is not supported. */
  forContentType(contentType: string): Codec | undefined;
}

/** Encodings that TypeKube supports. The code of all but JSON is loaded on first use. */
export const codecs: Codecs = {
  json: jsonCodec,
  protobuf: protobufCodec,
  yaml: yamlCodec,
  cbor: cborCodec,
  // Nearly every response has a Content-Type that equals a key; only others are parsed.
  forContentType: (contentType) =>
    byEssence.get(contentType) ?? byEssence.get(parseMediaType(contentType).essence),
};
