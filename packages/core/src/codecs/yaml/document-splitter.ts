import { asBuffer, concatBytes } from "../../bytes/bytes.js";
import { JsonExtent } from "./json-extent.js";
import type { DocumentPlace } from "./yaml-problem.js";

/** Bytes of one document, including its `---`, and their place in the stream. */
export interface DocumentBytes extends DocumentPlace {
  readonly bytes: Uint8Array;
}

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const hash = 0x23;
const percent = 0x25;
const brace = 0x7b;

const byteOrderMark = "\u00ef\u00bb\u00bf";
const startMarker = /^(?:\u00ef\u00bb\u00bf)?---(?:[\t\n\r ]|$)/;
/** Matches a byte order mark between documents: in front of a marker, a comment or an empty line. */
const looseMark = /^\u00ef\u00bb\u00bf(?:---(?:[\t\n\r ]|$)|[\n\r#]|$)/;
const endMarker = /^\.\.\.(?:[\t\n\r ]|$)/;
/** Number of bytes that show whether a line is a marker: a byte order mark, three characters and the one after them. */
const markerBytes = 7;

/**
 * Splits a stream that arrives in chunks of any size into YAML documents: before each line that begins with `---`, and
 * after each that begins with `...`. YAML allows neither inside a document, not even in quoted text. So the splitter
 * need not parse anything else, except that directives (`%YAML 1.2`) and comments belong to the `---` that follows
 * them. Consecutive JSON objects are a document each.
 */
export class DocumentSplitter {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Beginning of a line that may be a marker. */
  #rest: Buffer = Buffer.alloc(0);
  /** State of the current line: not read, only blanks so far, or classified. */
  #line: "start" | "blank" | "known" = "start";
  /** Content of the document so far: only comments, directives, a `---` with nothing after it, or content. */
  #holds: "nothing" | "directives" | "marker" | "content" = "nothing";
  /** Finds the end of a document that begins like JSON. */
  #json: JsonExtent | undefined;
  /** `true` when the line was `...`: the following bytes belong to the next document. */
  #ended = false;
  #afterReturn = false;
  /** `true` when the next byte begins another JSON object. */
  #beginsObject = false;
  #documents = 0;
  /** Number of lines that were read to their end, and that number when the document began. */
  #lines = 0;
  #linesBefore = 0;

  /** Number of bytes that wait for the end of their document. */
  get waitingBytes(): number {
    return this.#length + this.#rest.length;
  }

  /** Returns the place of the document that is being read. */
  get place(): DocumentPlace {
    return { document: this.#documents + 1, line: this.#linesBefore + 1 };
  }

  /** Adds a chunk and returns the documents that it completes. */
  push(chunk: Uint8Array): DocumentBytes[] {
    return this.#read(chunk, false);
  }

  /** Returns the last document, if there is one. */
  end(): DocumentBytes[] {
    const documents = this.#read(new Uint8Array(0), true);
    this.#take(documents);
    return documents;
  }

  #read(chunk: Uint8Array, isLast: boolean): DocumentBytes[] {
    const bytes = asBuffer(this.#rest.length > 0 ? concatBytes([this.#rest, chunk]) : chunk);
    this.#rest = bytes.subarray(0, 0);
    const documents: DocumentBytes[] = [];
    let added = 0;
    const addUpTo = (end: number) => {
      if (end > added) {
        this.#pieces.push(bytes.subarray(added, end));
        this.#length += end - added;
        added = end;
      }
    };
    let at = 0;
    while (at < bytes.length) {
      if (this.#afterReturn && bytes[at] === newline) {
        at++;
      }
      this.#afterReturn = false;
      if (this.#ended) {
        addUpTo(at);
        this.#take(documents);
      }
      if (this.#line === "start") {
        const head = bytes.toString("latin1", at, at + markerBytes);
        if (head.length < markerBytes && !isLast && !/[\n\r]/.test(head)) {
          break;
        }
        const isMarked = head.startsWith(byteOrderMark);
        if (isMarked && (this.#holds !== "content" || looseMark.test(head))) {
          // Concatenated files may each have a byte order mark, which is not part of any document.
          addUpTo(at);
          at += byteOrderMark.length;
          added = at;
        }
        if (startMarker.test(head)) {
          if (this.#holds === "content" || this.#holds === "marker") {
            addUpTo(at);
            this.#take(documents);
          }
          this.#holds = "marker";
          this.#line = "blank";
          at += "---".length;
        } else {
          this.#ended = endMarker.test(head);
          this.#line = this.#ended ? "known" : "blank";
        }
      }
      at = this.#readLine(bytes, at);
      if (this.#beginsObject) {
        this.#beginsObject = false;
        addUpTo(at);
        this.#take(documents);
        this.#line = "blank";
      }
      if (this.#endsHere()) {
        addUpTo(at);
        this.#take(documents);
      }
    }
    addUpTo(at);
    // Copied, because these are a few bytes and the chunk may be large.
    this.#rest = Buffer.from(bytes.subarray(at));
    return documents;
  }

  /** Returns whether a `...` line was read, including its whole line break. */
  #endsHere(): boolean {
    return this.#ended && this.#line === "start" && !this.#afterReturn;
  }

  /** Reads to the end of the line or of the bytes, or to the beginning of another JSON object. */
  #readLine(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#json?.begins(byte)) {
        this.#beginsObject = true;
        return at;
      }
      if (byte === newline || byte === carriageReturn) {
        this.#line = "start";
        this.#lines++;
        this.#afterReturn = byte === carriageReturn;
        return at + 1;
      }
      if (this.#line === "blank" && byte !== blank && byte !== tab) {
        this.#line = "known";
        const isFirst = this.#holds !== "content";
        if (byte === percent && at === start && isFirst && this.#holds !== "marker") {
          this.#holds = "directives";
        } else if (byte !== hash) {
          this.#holds = "content";
          if (byte === brace && isFirst) {
            this.#json = new JsonExtent();
            this.#json.begins(byte);
          }
        }
      }
    }
    return bytes.length;
  }

  /** Ends the current document. Comments alone do not make a document. */
  #take(documents: DocumentBytes[]): void {
    if (this.#holds !== "nothing") {
      documents.push({ ...this.place, bytes: concatBytes(this.#pieces) });
      this.#documents++;
    }
    this.#pieces = [];
    this.#length = 0;
    this.#holds = "nothing";
    this.#json = undefined;
    this.#ended = false;
    this.#linesBefore = this.#lines;
  }
}
