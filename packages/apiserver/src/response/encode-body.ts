import { codecs, type Status } from "@typekube/core";
import { writeYaml } from "../request/yaml.js";
import type { JsonObject } from "../store/json-value.js";
import { protobufForm } from "./protobuf-form.js";
import type { ResponseFormat } from "./response-format.js";

/** Writes one object, list or Status. */
export async function encodeBody(
  object: JsonObject | Status,
  { encoding, pretty }: ResponseFormat,
): Promise<Uint8Array> {
  switch (encoding) {
    case "json":
      return pretty
        ? prettyJson(await codecs.json.encode(object))
        : await codecs.json.encode(object);
    case "yaml":
      return writeYaml(object);
    case "protobuf":
      // The list of the core group's resources has no apiVersion; the envelope says so with an empty one.
      return await codecs.protobuf.encode({ apiVersion: "", ...protobufForm(object) });
    case "cbor":
      return await codecs.cbor.encode(object);
    default:
      return encoding satisfies never;
  }
}

function prettyJson(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  // An integer beyond 2^53 would not survive being parsed; such a body stays on one line.
  const indented = /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
  return Buffer.from(indented, "utf8");
}
