import { asBuffer, textBetween } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { assertJsonDepth } from "./depth.js";
import { mayHoldLargeInteger, parseWithLargeIntegers } from "./large-integers.js";
import { managedFieldsCut, withoutManagedFields } from "./managed-fields.js";
import type { ObjectRange } from "./object-range.js";

/** Decodes one JSON body. */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  if (bytes.byteLength === 0) {
    throw decodeError("the body is empty where JSON was expected");
  }
  const { byteLength } = bytes;
  assertJsonDepth(bytes, 0, byteLength, options.limits?.maxDepth ?? defaultLimits.maxDepth);
  return withoutManagedFields(decodeJsonObject(asBuffer(bytes), 0, byteLength, options), options);
}

const inMetadata = ["metadata"];

/**
 * Decodes the object whose text stands between two positions. Managed fields that nobody wants are cut out of the
 * bytes, so that they cost no parsing.
 *
 * @param typeMeta - text in front of the object's first key (`"kind":"Pod",`), when it has one.
 * @param path - where managedFields stand.
 */
export function decodeJsonObject(
  buffer: Buffer,
  start: number,
  end: number,
  { managedFields = true }: DecodeOptions,
  typeMeta = "",
  path: readonly string[] = inMetadata,
): unknown {
  const cut = managedFields ? undefined : managedFieldsCut(buffer, start, end, path);
  if (cut !== undefined) {
    try {
      return parse(
        objectText(buffer, start, end, typeMeta, cut),
        mayHoldLargeInteger(buffer, start, end),
      );
    } catch {
      // A wrong guess about where they end, or a text that is wrong itself: the whole of it tells.
    }
  }
  return parse(objectText(buffer, start, end, typeMeta), mayHoldLargeInteger(buffer, start, end));
}

/**
 * Decodes objects that follow each other in one parse: parsing a dozen pods at once costs a tenth less than one by
 * one, and small objects far less.
 *
 * @param ranges - guesses, each of which begins with a brace and a key.
 * @returns `undefined` when what stands there is not one object per range.
 */
export function decodeJsonObjects(
  buffer: Buffer,
  ranges: readonly ObjectRange[],
  { managedFields = true }: DecodeOptions,
  typeMeta: string,
): unknown[] | undefined {
  const texts: string[] = [];
  let large = false;
  for (const { start, end } of ranges) {
    const cut = (managedFields ? undefined : managedFieldsCut(buffer, start, end, inMetadata)) ?? {
      start: end,
      end,
    };
    texts.push(objectText(buffer, start, end, typeMeta, cut));
    large ||=
      mayHoldLargeInteger(buffer, start, cut.start) || mayHoldLargeInteger(buffer, cut.end, end);
  }
  // Each stands in brackets of its own: a range that is a piece of an object, or two objects, does not come out as one.
  let groups: readonly unknown[][];
  try {
    groups = parse(`[[${texts.join("],[")}]]`, large) as unknown[][];
  } catch {
    return undefined;
  }
  const isOneEach = groups.length === ranges.length && groups.every(({ length }) => length === 1);
  return isOneEach ? groups.map(([object]) => object) : undefined;
}

/** Parses the JSON text between two positions. Integers beyond 2^53 become `bigint`, so that nothing is lost. */
export function parseJson(bytes: Uint8Array, start: number, end: number): unknown {
  return parse(textBetween(asBuffer(bytes), start, end), mayHoldLargeInteger(bytes, start, end));
}

function objectText(
  buffer: Buffer,
  start: number,
  end: number,
  typeMeta: string,
  cut: ObjectRange = { start: end, end },
): string {
  const head =
    typeMeta === ""
      ? textBetween(buffer, start, cut.start)
      : `{${typeMeta}${textBetween(buffer, start + 1, cut.start)}`;
  return cut.end < end ? head + textBetween(buffer, cut.end, end) : head;
}

function parse(text: string, mayHoldLarge: boolean): unknown {
  try {
    return mayHoldLarge ? parseWithLargeIntegers(text) : JSON.parse(text);
  } catch (error) {
    throw decodeError(`the body is not JSON: ${withoutSnippet((error as Error).message)}`);
  }
}

/** What is wrong and where, without the piece of the body that V8 shows: it may be of a Secret. */
function withoutSnippet(message: string): string {
  return message
    .replace(/^(Unexpected token).*?(?= in JSON at|$)/s, "$1")
    .replace(/^".*(?=is not valid JSON)/s, "it ");
}
