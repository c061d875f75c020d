import { mediaTypes, parseMediaType } from "../media-type.js";
import type { Codec } from "./codec.js";
import { jsonCodec } from "./json/codec.js";
import { protobufCodec } from "./protobuf/codec.js";

const byEssence: ReadonlyMap<string, Codec> = new Map([
  [mediaTypes.json, jsonCodec],
  [mediaTypes.protobuf, protobufCodec],
]);

/** The encodings that TypeKube speaks. */
export interface Codecs {
  readonly json: Codec;
  readonly protobuf: Codec;
  /** The codec that reads a body of this Content-Type; `undefined` when there is none. */
  forContentType(contentType: string): Codec | undefined;
}

/** The encodings that TypeKube speaks. */
export const codecs: Codecs = {
  json: jsonCodec,
  protobuf: protobufCodec,
  forContentType: (contentType) => byEssence.get(parseMediaType(contentType).essence),
};
