import type { Codec } from "../codec.js";
import { mediaTypes } from "../media-type.js";
import { decodeProtobuf } from "./decode.js";
import { encodeProtobuf } from "./encode.js";
import { decodeProtobufList } from "./list.js";
import { decodeProtobufWatch, encodeProtobufWatchEvent } from "./watch.js";

/** Protobuf codec, for built-in kinds: half the bytes of JSON and less than half the time. */
export const protobufCodec: Codec = {
  name: "protobuf",
  mediaType: mediaTypes.protobuf,
  watchMediaType: mediaTypes.protobufWatch,
  encode: encodeProtobuf,
  decode: decodeProtobuf,
  decodeList: decodeProtobufList,
  decodeWatch: decodeProtobufWatch,
  encodeWatchEvent: encodeProtobufWatchEvent,
};
