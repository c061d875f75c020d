import type { ReadSource } from "../options/check-input.js";
import { itemsOf } from "../text/items-of.js";
import { parseDocument } from "../text/parse-document.js";
import { documentsOf, type SourceDocument } from "../text/source-document.js";
import type { CheckItem } from "./check-item.js";
import type { VersionedFinding } from "./raw-finding.js";

/** An object of a source, or a document that cannot be read, with the problems found while reading. */
export interface ReadItem {
  readonly item: CheckItem;
  readonly problems: readonly VersionedFinding[];
  /** `true` for a document that cannot be read. */
  readonly isUnreadable: boolean;
}

/**
 * Reads the objects of a source, one document after another. Empty documents are left out.
 *
 * @param isWanted - selects documents by their text; the others are not parsed. Default: all.
 */
export async function* readItems(
  source: ReadSource,
  isWanted: (document: SourceDocument) => boolean = () => true,
): AsyncGenerator<ReadItem> {
  const { name } = source;
  if (!("read" in source)) {
    const { index, object } = source;
    for (const { value, path } of itemsOf(object)) {
      yield {
        item: { source: name, document: index + 1, path, value },
        problems: [],
        isUnreadable: false,
      };
    }
    return;
  }
  const text = await source.read();
  try {
    for (const document of documentsOf(name, text)) {
      if (isWanted(document)) {
        yield* readableItems(document);
      }
    }
  } catch (error) {
    yield failedItem({ source: name, document: 1, path: "", value: undefined }, error);
  }
}

/** Returns the items of a document; an error of the reading itself becomes a problem, so that the rest is still checked. */
function readableItems(text: SourceDocument): readonly ReadItem[] {
  try {
    return [...itemsIn(text)];
  } catch (error) {
    const { source, document } = text;
    return [failedItem({ source, document, path: "", text, value: undefined }, error)];
  }
}

function failedItem(item: CheckItem, error: unknown): ReadItem {
  const message = `the document could not be read: ${(error as Error).message}`;
  return { item, problems: [{ rule: "check-failed", message, offset: 0 }], isUnreadable: true };
}

function* itemsIn(text: SourceDocument): Generator<ReadItem> {
  const { source, document } = text;
  const parsed = parseDocument(text.text);
  if (parsed.type === "problem") {
    const { problem } = parsed;
    const item = { source, document, path: "", text, value: undefined };
    yield { item, problems: [problem], isUnreadable: true };
  } else if (parsed.type === "value") {
    let problems: readonly VersionedFinding[] = parsed.duplicateKeys.map(({ key, offset }) => ({
      rule: "duplicate-key",
      message: `key ${JSON.stringify(key)} is already set in this mapping`,
      offset,
    }));
    for (const { value, path } of itemsOf(parsed.value)) {
      yield { item: { source, document, path, text, value }, problems, isUnreadable: false };
      problems = [];
    }
  }
}
