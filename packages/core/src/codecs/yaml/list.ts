import { collectBytes } from "../../bytes/bytes.js";
import type { KubeObject } from "../../objects/api-types.js";
import { isJsonObject } from "../../objects/json-value.js";
import { defaultLimits } from "../../options/limits.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, listHead, notAList, withTypeMeta } from "../list-metadata.js";
import { decodeYaml } from "./decode.js";

/**
 * Decodes a list into one part. Reads the whole body, up to `maxBodyBytes`: a YAML list is one document, its last line
 * may refer to any anchor in it, and servers build it completely before they send it. Large lists should be read in
 * another encoding.
 */
export async function* decodeYamlList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const maxBytes = options.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes;
  const body = await decodeYaml(await collectBytes(source, maxBytes, "maxBodyBytes"), options);
  if (!isJsonObject(body)) {
    throw notAList(body);
  }
  const items = body["items"];
  if (items !== null && !Array.isArray(items)) {
    throw notAList(body);
  }
  if (items?.some((item) => !isJsonObject(item))) {
    throw decodeError("the body is not a YAML list of objects");
  }
  const { apiVersion, kind, metadata } = listHead(body);
  const type = itemKind(kind);
  yield {
    apiVersion,
    kind,
    metadata,
    items: (items ?? []).map((item) => withTypeMeta(item, apiVersion, type) as KubeObject),
  };
}
