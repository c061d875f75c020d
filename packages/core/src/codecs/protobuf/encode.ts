import { KubeError } from "../../errors/kube-error.js";
import type { EncodeOptions } from "../codec.js";
import { encodeMessage } from "./encoder.js";
import { magic } from "./envelope.js";
import { loadedMessageType, loadMessageType } from "./message-type.js";
import { ReverseWriter } from "./reverse-writer.js";

/**
 * Encodes one object or list with its envelope.
 *
 * @throws {KubeError} `InvalidArgument` for a kind without a table, and for data that protobuf would lose, so that the
 * object must be sent as JSON: a field that the table lacks and, with `refuseLoss`, empty lists and maps.
 */
export async function encodeProtobuf(
  value: unknown,
  options: EncodeOptions = {},
): Promise<Uint8Array> {
  const { apiVersion, kind } = typeMetaOf(value);
  const type = loadedMessageType(apiVersion, kind) ?? (await loadMessageType(apiVersion, kind));
  if (type === undefined) {
    throw new KubeError("InvalidArgument", `${kind} in ${apiVersion} has no protobuf schema here`, {
      hint: "send it as JSON",
    });
  }
  const writer = new ReverseWriter();
  // contentType (field 4) and contentEncoding (field 3) are empty but written, as by the API server.
  writer.text("");
  writer.tag(34);
  writer.text("");
  writer.tag(26);
  const raw = writer.mark();
  encodeMessage(writer, type, value as Record<string, unknown>, kind, options);
  writer.lengthSince(raw);
  writer.tag(18);
  const typeMeta = writer.mark();
  writer.text(kind);
  writer.tag(18);
  writer.text(apiVersion);
  writer.tag(10);
  writer.lengthSince(typeMeta);
  writer.tag(10);
  writer.raw(magic);
  return writer.finish();
}

function typeMetaOf(value: unknown): { apiVersion: string; kind: string } {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new KubeError(
      "InvalidArgument",
      "an object without apiVersion and kind cannot be encoded",
    );
  }
  return { apiVersion, kind };
}
