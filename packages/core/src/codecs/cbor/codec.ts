import type { Codec } from "../codec.js";
import { mediaTypes } from "../media-type.js";
import { decodeCbor } from "./decode.js";
import { encodeCbor } from "./encode.js";
import { decodeCborList } from "./list.js";
import { decodeCborWatch, encodeCborWatchEvent } from "./watch.js";

/** CBOR codec (RFC 8949). Servers offer CBOR behind a feature gate, for built-in kinds and custom resources alike. */
export const cborCodec: Codec = {
  name: "cbor",
  mediaType: mediaTypes.cbor,
  watchMediaType: mediaTypes.cborSequence,
  encode: async (object) => encodeCbor(object),
  decode: async (bytes, options) => decodeCbor(bytes, options),
  decodeList: decodeCborList,
  decodeWatch: decodeCborWatch,
  encodeWatchEvent: async (event) => encodeCborWatchEvent(event),
};
