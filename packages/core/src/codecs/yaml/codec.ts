import type { Codec } from "../codec.js";
import { mediaTypes } from "../media-type.js";
import { decodeYaml } from "./decode.js";
import { encodeYaml } from "./encode.js";
import { decodeYamlList } from "./list.js";
import { decodeYamlWatch, encodeYamlWatchEvent } from "./watch.js";

/** YAML codec. Servers read and write YAML for people. The parser is loaded with the first body. */
export const yamlCodec: Codec = {
  name: "yaml",
  mediaType: mediaTypes.yaml,
  watchMediaType: mediaTypes.yaml,
  encode: async (object) => encodeYaml(object),
  decode: async (bytes, options) => decodeYaml(bytes, options),
  decodeList: decodeYamlList,
  decodeWatch: decodeYamlWatch,
  encodeWatchEvent: async (event) => encodeYamlWatchEvent(event),
};
