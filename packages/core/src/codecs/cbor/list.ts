import { asBuffer, concatBytes } from "../../bytes/bytes.js";
import { reclaimChunks } from "../../bytes/reclaimed-bytes.js";
import { defaultLimits } from "../../options/limits.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { ListReader } from "./list-reader.js";

/** Decodes a list while it arrives: the fields of its outermost map one value at a time, its items one by one. */
export async function* decodeCborList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const list = new ListReader(maxBytes, options);
  // A truncated item head: never more than eight bytes.
  let rest: Uint8Array = new Uint8Array(0);
  reclaimChunks(source);
  for await (const chunk of source) {
    const bytes = asBuffer(rest.byteLength > 0 ? concatBytes([rest, chunk]) : chunk);
    const items = list.read(bytes);
    rest = Buffer.from(bytes.subarray(list.position));
    if (items.length > 0) {
      yield { ...list.head, items };
    }
  }
  const items = list.finish();
  yield { ...list.head, items };
}
