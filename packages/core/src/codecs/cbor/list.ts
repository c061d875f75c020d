import { asBuffer, concatBytes } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import { reclaimChunks } from "../../reclaimed-bytes.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { ListReader } from "./list-reader.js";

/** Decodes a list while it arrives: what stands in its outermost map is read value by value, its items one by one. */
export async function* decodeCborList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const list = new ListReader(maxBytes, options);
  // The head of an item that was cut: never more than eight bytes.
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
