import type { Event } from "js-yaml";

/** A range of text offsets that covers whole lines. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Positions of a list and its entries. */
export interface ListPlace {
  /** From the list's key to the last line of its last entry. */
  readonly whole: TextRange;
  readonly items: readonly TextRange[];
  /** Spaces before the dash of each entry. */
  readonly indent: number;
}

/** Positions of a kubeconfig's parts in its text. */
export interface YamlPlaces {
  readonly lists: ReadonlyMap<string, ListPlace>;
  readonly currentContext: TextRange | undefined;
  /** Position for new fields: the end of the text. */
  readonly end: TextRange;
}

/** A top-level field, with the offsets of its entries when the value is a block list. */
interface TopField {
  readonly name: string;
  readonly start: number;
  readonly entryStarts: readonly number[];
}

/**
 * Locates the parts of a kubeconfig that is written as kubectl writes it: one document, a block mapping at the left
 * edge, block lists.
 *
 * @returns `undefined` for any other text.
 */
export async function placesOf(text: string): Promise<YamlPlaces | undefined> {
  const { EVENT_ID, COLLECTION_STYLE, getScalarValue, parseEvents } = await import("js-yaml");
  const events = parseEvents(text, {});
  const fields = topFields(events);
  if (!fields) {
    return undefined;
  }
  const lists = new Map<string, ListPlace>();
  let currentContext: TextRange | undefined;
  const textEnd = text.length;
  for (const [i, { name, start, entryStarts }] of fields.entries()) {
    const from = lineStart(text, start);
    const range = { start: from, end: contentEnd(text, from, nextStart(fields, i)) };
    if (name === "current-context") {
      currentContext = range;
    } else {
      const place = listPlace(text, range, entryStarts);
      if (!place) {
        return undefined;
      }
      lists.set(name, place);
    }
  }
  return { lists, currentContext, end: { start: textEnd, end: textEnd } };

  function nextStart(all: readonly TopField[], i: number): number {
    const next = all[i + 1];
    return next ? lineStart(text, next.start) : textEnd;
  }

  /** Walks the events of a single document with a single mapping, tracking the depth. */
  function topFields(all: readonly Event[]): TopField[] | undefined {
    const [document, root] = all;
    const documents = all.filter(({ type }) => type === EVENT_ID.DOCUMENT);
    if (
      documents.length !== 1 ||
      document?.type !== EVENT_ID.DOCUMENT ||
      document.explicitEnd ||
      root?.type !== EVENT_ID.MAPPING ||
      root.style !== COLLECTION_STYLE.BLOCK
    ) {
      return undefined;
    }
    const found: { name: string; start: number; entryStarts: number[] }[] = [];
    let depth = 0;
    let isKey = true;
    let isList = false;
    for (const event of all.slice(2)) {
      if (event.type === EVENT_ID.POP) {
        depth -= 1;
        continue;
      }
      if (depth === 0) {
        if (isKey) {
          if (event.type !== EVENT_ID.SCALAR) {
            return undefined;
          }
          const name = getScalarValue(text, event);
          found.push({ name, start: event.valueStart, entryStarts: [] });
        } else {
          isList = event.type === EVENT_ID.SEQUENCE && event.style === COLLECTION_STYLE.BLOCK;
        }
        isKey = !isKey;
      } else if (depth === 1 && isList && event.type === EVENT_ID.MAPPING) {
        found.at(-1)?.entryStarts.push(event.start);
      }
      if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
        depth += 1;
      }
    }
    return found;
  }
}

function listPlace(
  text: string,
  whole: TextRange,
  entryStarts: readonly number[],
): ListPlace | undefined {
  const dashes = entryStarts.map((start) => {
    const from = lineStart(text, start);
    return { from, dash: /^( *)-[ \t]+$/.exec(text.slice(from, start)) };
  });
  const indent = dashes[0]?.dash?.[1]?.length ?? 0;
  if (dashes.some(({ dash }) => dash?.[1]?.length !== indent)) {
    return undefined;
  }
  const items = dashes.map(({ from }, i) => {
    const next = dashes[i + 1]?.from ?? whole.end;
    return { start: from, end: contentEnd(text, from, next) };
  });
  return { whole, items, indent };
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the end of the last line with content: comments and blank lines after it belong to the next part. */
function contentEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start) {
    const from = text.lastIndexOf("\n", last - 2) + 1;
    const line = text.slice(from, last).trim();
    if (from <= start || (line !== "" && !line.startsWith("#"))) {
      break;
    }
    last = from;
  }
  return last;
}
