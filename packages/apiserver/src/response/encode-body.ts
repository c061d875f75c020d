import type { Status } from "@typekube/core";
import { codecs, stringifyJson } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import type { ResponseFormat } from "../request/response-format.js";
import { writeYaml } from "../request/yaml.js";
import { protobufForm } from "./protobuf-form.js";

/** Encodes an object, list or Status. */
export async function encodeBody(
  object: JsonObject | Status,
  { encoding, pretty }: ResponseFormat,
): Promise<Uint8Array> {
  switch (encoding) {
    case "json":
      return Buffer.from(jsonText(object, pretty), "utf8");
    case "yaml":
      return writeYaml(object);
    case "protobuf":
      // The core group's resource list has no apiVersion; the protobuf envelope needs an empty one.
      return codecs.protobuf.encode({ apiVersion: "", ...protobufForm(object) });
    case "cbor":
      return codecs.cbor.encode(object);
    default:
      return encoding satisfies never;
  }
}

/** Encodes JSON. Like Go's encoder, it ends with a line feed, unless indented. */
function jsonText(object: JsonObject | Status, pretty: boolean): string {
  const text = stringifyJson(object);
  if (!pretty) {
    return `${text}\n`;
  }
  // Parsing would change an integer beyond 2^53; such a body is not indented.
  return /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
}
