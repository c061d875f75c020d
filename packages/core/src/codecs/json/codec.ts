import type { Codec } from "../codec.js";
import { mediaTypes } from "../media-type.js";
import { decodeJson } from "./decode.js";
import { encodeJson } from "./encode.js";
import { decodeJsonList } from "./list.js";
import { decodeJsonWatch, encodeJsonWatchEvent } from "./watch.js";

/** JSON codec. Every server supports JSON. */
export const jsonCodec: Codec = {
  name: "json",
  mediaType: mediaTypes.json,
  watchMediaType: mediaTypes.json,
  encode: async (object) => encodeJson(object),
  decode: async (bytes, options) => decodeJson(bytes, options),
  decodeList: decodeJsonList,
  decodeWatch: decodeJsonWatch,
  encodeWatchEvent: async (event) => encodeJsonWatchEvent(event),
};
