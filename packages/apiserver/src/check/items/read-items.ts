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
  for (const document of documentsOf(name, await source.read())) {
    if (isWanted(document)) {
      yield* itemsIn(document);
    }
  }
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
