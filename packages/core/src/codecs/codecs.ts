import { mediaTypes, parseMediaType } from "../media-type.js";
import { cborCodec } from "./cbor/codec.js";
import type { Codec } from "./codec.js";
import { jsonCodec } from "./json/codec.js";
import { protobufCodec } from "./protobuf/codec.js";
import { yamlCodec } from "./yaml/codec.js";

const byEssence: ReadonlyMap<string, Codec> = new Map([
  [mediaTypes.json, jsonCodec],
  [mediaTypes.protobuf, protobufCodec],
  [mediaTypes.cbor, cborCodec],
  [mediaTypes.cborSequence, cborCodec],
  [mediaTypes.yaml, yamlCodec],
]);

/** The encodings that TypeKube speaks. */
export interface Codecs {
  readonly json: Codec;
  readonly protobuf: Codec;
  readonly yaml: Codec;
  readonly cbor: Codec;
  /** The codec that reads a body of this Content-Type; `undefined` when there is none. */
  forContentType(contentType: string): Codec | undefined;
}

/** The encodings that TypeKube speaks. */
export const codecs: Codecs = {
  json: jsonCodec,
  protobuf: protobufCodec,
  yaml: yamlCodec,
  cbor: cborCodec,
  forContentType: (contentType) => byEssence.get(parseMediaType(contentType).essence),
};
