import { asBuffer, concatBytes } from "../../bytes.js";
import { JsonExtent } from "./json-extent.js";
import type { DocumentPlace } from "./yaml-problem.js";

/** The bytes of one document, its `---` included, and where they stood. */
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
/** A byte order mark between documents: before a marker, a comment or nothing. */
const looseMark = /^\u00ef\u00bb\u00bf(?:---(?:[\t\n\r ]|$)|[\n\r#]|$)/;
const endMarker = /^\.\.\.(?:[\t\n\r ]|$)/;
/** Bytes that tell whether a line is a marker: a byte order mark, three characters and the one behind them. */
const markerBytes = 7;

/**
 * Cuts a stream into YAML documents, in whatever pieces it arrives: before each line that begins with `---`, behind
 * each that begins with `...`. YAML lets neither stand inside a document, not even in a quoted text, so nothing else
 * need be understood but that directives (`%YAML 1.2`) and comments belong to the `---` that follows them. JSON objects
 * that follow each other are a document each.
 */
export class DocumentSplitter {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** The beginning of a line that may be a marker. */
  #rest: Buffer = Buffer.alloc(0);
  /** How far the line was read: not looked at, only blanks, or enough to know what it is. */
  #line: "start" | "blank" | "known" = "start";
  /** What the document has: nothing but comments, directives, a `---` with nothing behind it, or content. */
  #holds: "nothing" | "directives" | "marker" | "content" = "nothing";
  /** Finds the end of a document that begins as JSON does. */
  #json: JsonExtent | undefined;
  /** The line was `...`: what follows belongs to the next document. */
  #ended = false;
  #afterReturn = false;
  /** The next byte begins another JSON object. */
  #beginsObject = false;
  #documents = 0;
  /** Lines that were read to their end, and how many were when the document began. */
  #lines = 0;
  #linesBefore = 0;

  /** Bytes that wait for the end of their document. */
  get waitingBytes(): number {
    return this.#length + this.#rest.length;
  }

  /** The place of the document that is being read. */
  get place(): DocumentPlace {
    return { document: this.#documents + 1, line: this.#linesBefore + 1 };
  }

  /** Takes the next bytes and gives the documents that they end. */
  push(chunk: Uint8Array): DocumentBytes[] {
    return this.#read(chunk, false);
  }

  /** The last document, if there is one. */
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
          // Files that were put together, each with a mark of its own: it is not part of any document.
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
    // Copied: it is a few bytes, and the chunk may be large.
    this.#rest = Buffer.from(bytes.subarray(at));
    return documents;
  }

  /** Whether a `...` line was read, and its line break whole. */
  #endsHere(): boolean {
    return this.#ended && this.#line === "start" && !this.#afterReturn;
  }

  /** Reads to the end of the line, of the bytes, or of a JSON object that another one follows. */
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

  /** Ends the document that was read; comments alone are none. */
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
