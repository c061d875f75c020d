import type { KubeObject, ListMeta } from "../../api-types.js";
import { asBuffer, concatBytes, tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, notAList, withTypeMeta } from "../list-metadata.js";
import { parseJson, withoutManagedFields } from "./decode.js";
import { JsonListScanner } from "./list-scanner.js";

/**
 * Decodes a list while it arrives. The scanner finds where items begin and end; each item is parsed when it is
 * whole and its bytes are let go. What stands around the items (kind, metadata) is parsed as one small object.
 */
export async function* decodeJsonList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const scanner = new JsonListScanner();
  let rest: Uint8Array = new Uint8Array(0);
  let head: ListHead | undefined;
  for await (const chunk of inProportion(source, () => rest.byteLength)) {
    const buffer = asBuffer(rest.byteLength > 0 ? concatBytes([rest, chunk]) : chunk);
    const scan = scanner.scan(buffer);
    if (scan.items.length > 0) {
      head ??= readHead(scanner.frame(), false);
      const { apiVersion, kind } = head;
      const type = itemKind(kind);
      const items = scan.items.map(({ start, end }) => {
        if (end - start > maxBytes) {
          throw tooLarge("a list item", maxBytes, "maxObjectBytes");
        }
        const item = withoutManagedFields(parseJson(buffer, start, end), options);
        return withTypeMeta(item, apiVersion, type) as KubeObject;
      });
      yield { ...head, items };
    }
    rest = buffer.subarray(scan.keepFrom);
    if (rest.byteLength > maxBytes) {
      throw tooLarge(
        scanner.insideItems ? "a list item" : "what surrounds a list's items",
        maxBytes,
        "maxObjectBytes",
      );
    }
  }
  if (!scanner.complete) {
    throw scanner.started
      ? decodeError("the list ends in the middle")
      : decodeError("the body is empty or not JSON where a list was expected");
  }
  yield { ...readHead(scanner.frame(), true), items: [] };
}

/** What waits for its end may be this large before chunks are joined for it. */
const smallBytes = 64 * 1024;

/**
 * Joins chunks until they are a quarter of what waits for its end. The waiting bytes are joined to each piece, so
 * small pieces would cost the square of a large item.
 */
async function* inProportion(
  source: AsyncIterable<Uint8Array>,
  waitingBytes: () => number,
): AsyncIterable<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (waitingBytes() <= smallBytes || bytes * 4 >= waitingBytes()) {
      yield concatBytes(chunks);
      chunks = [];
      bytes = 0;
    }
  }
  if (bytes > 0) {
    yield concatBytes(chunks);
  }
}

interface ListHead {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
}

/** What stands around the items: before the end, only what came before them is known. */
function readHead(frame: Uint8Array, whole: boolean): ListHead {
  const object = parseJson(frame, 0, frame.byteLength) as
    | (Partial<ListHead> & { items?: unknown })
    | null;
  const items = object?.items;
  if (
    typeof object !== "object" ||
    object === null ||
    (whole && items !== null && !Array.isArray(items))
  ) {
    throw notAList(object);
  }
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}
