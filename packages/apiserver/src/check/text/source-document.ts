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
  const splitter = new DocumentSplitter();
  let template: string | undefined;
  for (const { bytes, document, line } of [
    ...splitter.push(Buffer.from(text)),
    ...splitter.end(),
  ]) {
    const read = asBuffer(bytes).toString("utf8");
    template = /^# Source: (\S+)[ \t]*\r?$/m.exec(read)?.[1] ?? template;
    yield { source, document, line, text: read, template };
  }
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
