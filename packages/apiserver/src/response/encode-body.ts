import type { Status } from "@typekube/core";
import { codecs, stringifyJson } from "@typekube/core/internal";
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
      return Buffer.from(jsonText(object, pretty), "utf8");
    case "yaml":
      return writeYaml(object);
    case "protobuf":
      // The list of the core group's resources has no apiVersion; the envelope says so with an empty one.
      return codecs.protobuf.encode({ apiVersion: "", ...protobufForm(object) });
    case "cbor":
      return codecs.cbor.encode(object);
    default:
      return encoding satisfies never;
  }
}

/** On one line JSON ends that line, as Go's encoder has it; indented it ends with its last bracket. */
function jsonText(object: JsonObject | Status, pretty: boolean): string {
  const text = stringifyJson(object);
  if (!pretty) {
    return `${text}\n`;
  }
  // An integer beyond 2^53 would not survive being parsed; such a body stays on one line.
  return /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
}
