import { asBuffer } from "@typekube/core/internal";
import { DocumentSplitter } from "@typekube/core/yaml";

/** One document of a source, as text. */
export interface SourceDocument {
  readonly source: string;
  /** Number of the document, from 1. */
  readonly document: number;
  /** Line of the source in which the text begins, from 1. */
  readonly line: number;
  readonly text: string;
  /** File that a renderer named in a comment `# Source:`. */
  readonly template: string | undefined;
}

/** Splits the text of a source into its documents. Documents of comments alone are left out. */
export function* documentsOf(source: string, text: string): Generator<SourceDocument> {
  let template: string | undefined;
  for (const part of otherForm.test(text) ? bytesOf(text) : markedParts(text)) {
    const mark = part.text.includes("# Source: ") ? sourceComment.exec(part.text) : null;
    template = mark?.[1] ?? template;
    yield { source, ...part, template };
  }
}

const sourceComment = /^# Source: (\S+)[ \t]*\r?$/m;

type DocumentPart = Pick<SourceDocument, "document" | "line" | "text">;

/**
 * Matches texts that {@link markedParts} does not split: with other line ends, byte order marks, ends of documents, directives,
 * JSON, or content behind `---`.
 */
const otherForm = /[\r\ufeff\p{Surrogate}]|^(?:\.\.\.|%|[ \t]*\{|---[ \t]+[^ \t\n])/mu;

function* bytesOf(text: string): Generator<DocumentPart> {
  const splitter = new DocumentSplitter();
  const parts = [...splitter.push(Buffer.from(text)), ...splitter.end()];
  for (const { bytes, document, line } of parts) {
    yield { document, line, text: asBuffer(bytes).toString("utf8") };
  }
}

/** Splits a text before each line with `---`, as strings: most files have no other form, and bytes take much longer. */
function* markedParts(text: string): Generator<DocumentPart> {
  let document = 1;
  let line = 1;
  let start = 0;
  while (start < text.length) {
    let end = nextMarker(text, start);
    // Comments in front of the first marker belong to its document.
    if (start === 0 && !marker.test(text.slice(0, 4)) && !content.test(text.slice(0, end))) {
      if (end === text.length) {
        return;
      }
      end = nextMarker(text, end);
    }
    const part = text.slice(start, end);
    yield { document, line, text: part };
    document += 1;
    line += lineBreaks(part);
    start = end;
  }
}

const marker = /^---(?:\s|$)/;
const content = /^[ \t]*[^#\s]/m;

/** Returns the offset of the next line that begins with a marker behind the line at `start`, or the end of the text. */
function nextMarker(text: string, start: number): number {
  for (let at = text.indexOf("\n---", start); at >= 0; at = text.indexOf("\n---", at + 1)) {
    if (marker.test(text.slice(at + 1, at + 5))) {
      return at + 1;
    }
  }
  return text.length;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

/** Converts offsets in a document to lines and columns of its source. Lines end as in an editor. */
export class LineIndex {
  readonly #document: SourceDocument;
  #starts: readonly number[] | undefined;

  constructor(document: SourceDocument) {
    this.#document = document;
  }

  /** Returns the line and column of an offset, both from 1. */
  at(offset: number): { readonly line: number; readonly column: number } {
    const { text, line } = this.#document;
    const at = Math.max(0, Math.min(offset, text.length));
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: line + low, column: at - (starts[low] as number) + 1 };
  }

  /** Returns the text of a line of the source, without its line break. */
  textOf(line: number): string {
    const { text, line: first } = this.#document;
    const starts = this.#lineStarts();
    const start = starts[line - first] ?? text.length;
    const end = starts[line - first + 1] ?? text.length;
    return text.slice(start, end).replace(/[\n\r]+$/, "");
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= [
      0,
      ...[...this.#document.text.matchAll(/\r\n|\n|\r/g)].map(
        ({ index, 0: end }) => index + end.length,
      ),
    ];
    return this.#starts;
  }
}
