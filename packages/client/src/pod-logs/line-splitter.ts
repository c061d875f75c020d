import { asBuffer } from "@typekube/core/internal";
import { timeEnd } from "./line-time.js";

/** Maximum bytes of a line that is yielded whole. */
export const maxLineBytes: number = 1024 * 1024;

/** Receives a line without its end, or a part of a long one. The bytes are valid during the call only. */
export type LineSink = (
  bytes: Buffer,
  start: number,
  end: number,
  /** `true` when the line begins here, and `true` when it ends here. */
  isStart: boolean,
  isEnd: boolean,
) => void;

const newline = 0x0a;

/** Pieces of a line that are joined into one: each costs memory, even if it has a single byte. */
const manyPieces = 1_024;

/** Splits bytes into lines. Only 0x0A ends a line, so that no character is broken. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #isTimed: boolean;
  /** Copies of the beginning of a line whose end has not arrived. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #isStart = true;

  /** @param isTimed - `true` when each line begins with its time, which is not counted. */
  constructor(sink: LineSink, isTimed: boolean) {
    this.#sink = sink;
    this.#isTimed = isTimed;
  }

  push(chunk: Uint8Array): void {
    const bytes = asBuffer(chunk);
    let start = 0;
    let end = bytes.indexOf(newline);
    if (end >= 0 && this.#begunBytes > 0) {
      this.#keep(bytes.subarray(0, end));
      this.flush();
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    while (end >= 0) {
      this.#emit(bytes, start, end);
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    if (start < bytes.byteLength) {
      // A copy, because the chunk is only valid now.
      this.#keep(Buffer.from(bytes.subarray(start)));
      this.#emitParts();
    }
  }

  /** Emits a last line that has no end. */
  flush(): void {
    if (this.#begunBytes > 0 || !this.#isStart) {
      const whole = this.#take();
      this.#emit(whole, 0, whole.byteLength);
    }
  }

  #keep(bytes: Buffer): void {
    this.#begun.push(bytes);
    this.#begunBytes += bytes.byteLength;
    if (this.#begun.length === manyPieces) {
      this.#begun = [Buffer.concat(this.#begun)];
    }
  }

  #take(): Buffer {
    const [first, second] = this.#begun;
    const whole = first !== undefined && second === undefined ? first : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return whole;
  }

  #emit(bytes: Buffer, start: number, end: number): void {
    const rest = end - start > maxLineBytes ? this.#emitLong(bytes, start, end) : start;
    const isStart = this.#isStart;
    this.#isStart = true;
    this.#sink(bytes, rest, end, isStart, true);
  }

  /** Bounds what is kept of a line without an end. */
  #emitParts(): void {
    if (this.#begunBytes > maxLineBytes) {
      const whole = this.#take();
      const rest = this.#emitLong(whole, 0, whole.byteLength);
      this.#keep(rest === 0 ? whole : Buffer.from(whole.subarray(rest)));
    }
  }

  /** Emits parts of a long line and returns where its rest begins. */
  #emitLong(bytes: Buffer, start: number, end: number): number {
    let at = start;
    for (;;) {
      const afterTime = this.#isTimed && this.#isStart ? timeEnd(bytes, at, end) + 1 : at;
      const next = Math.max(afterTime, at) + maxLineBytes;
      if (next >= end) {
        return at;
      }
      const cut = beforeCharacter(bytes, next);
      this.#sink(bytes, at, cut, this.#isStart, false);
      this.#isStart = false;
      at = cut;
    }
  }
}

/** Returns the beginning of the UTF-8 character at an index. */
function beforeCharacter(bytes: Buffer, index: number): number {
  for (let at = index; at > index - 4; at--) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) {
      return at;
    }
  }
  return index;
}
