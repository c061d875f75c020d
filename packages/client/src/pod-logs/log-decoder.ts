import { LineSplitter } from "./line-splitter.js";
import { nanosOf, offsetStart, secondLength, timeEnd } from "./line-time.js";
import { LogPosition } from "./log-position.js";
import type { LogView } from "./log-view.js";

/** Settings of a decoder. */
export interface LogDecoding<T> {
  readonly view: LogView<T>;
  /** `true` when each line begins with its time. */
  readonly isTimed: boolean;
  /** `true` when the reader gets that time too, so that it counts as bytes. */
  readonly keepsTime: boolean;
  readonly until: Date | undefined;
  readonly limitBytes: number | undefined;
}

/** Decodes a log chunk by chunk, over as many responses as it takes. */
export class LogDecoder<T> {
  readonly #decoding: LogDecoding<T>;
  #position = new LogPosition();
  #splitter: LineSplitter;
  #items: T[] = [];
  #bytesLeft: number;
  #isDone = false;
  /** `true` while lines come that were seen before. */
  #isSkipping = false;
  /** Bytes that were yielded of a line without its end. */
  #openBytes = 0;
  /** Of those, bytes that are still to come again; `undefined` unless that line comes again. */
  #bytesToSkip: number | undefined;
  #gapReason = "";
  #hasUntimed = false;

  constructor(decoding: LogDecoding<T>) {
    this.#decoding = decoding;
    this.#bytesLeft = decoding.limitBytes ?? Number.POSITIVE_INFINITY;
    this.#splitter = this.#newSplitter();
  }

  /** `true` once the limit of bytes or of time has been reached. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The place up to which the log was read. */
  get position(): LogPosition {
    return this.#position;
  }

  /** `true` when lines came, and none of them has a time: they cannot be recognised when they come again. */
  get isUntimed(): boolean {
    return this.#hasUntimed && this.#position.sinceTime === undefined;
  }

  /** Returns what the lines of a chunk become. */
  push(chunk: Uint8Array): T[] {
    this.#splitter.push(chunk);
    return this.#take();
  }

  /** Returns the last line, if it has no end. */
  flush(): T[] {
    this.#splitter.flush();
    return this.#take();
  }

  /**
   * Expects the lines of the last second again; a line that was cut off comes again whole.
   *
   * @param reason - of a gap, if they do not come again.
   * @param mayMiss - `true` when lines may be missing although none was read before.
   */
  resume(reason: string, mayMiss = false): void {
    this.#gapReason = reason;
    this.#position.resume(mayMiss);
    this.#splitter = this.#newSplitter();
  }

  /** Expects another log. */
  restart(): void {
    this.#position = new LogPosition();
    this.#splitter = this.#newSplitter();
    this.#isSkipping = false;
    this.#openBytes = 0;
    this.#hasUntimed = false;
  }

  #newSplitter(): LineSplitter {
    return new LineSplitter(
      (bytes, start, end, isStart, isEnd) => this.#onLine(bytes, start, end, isStart, isEnd),
      this.#decoding.isTimed,
    );
  }

  #take(): T[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #onLine(bytes: Buffer, start: number, end: number, isStart: boolean, isEnd: boolean): void {
    if (this.#isDone) {
      return;
    }
    const space = isStart && this.#decoding.isTimed ? timeEnd(bytes, start, end) : -1;
    if (space >= 0) {
      this.#onTime(bytes, start, space);
    } else if (isStart) {
      this.#hasUntimed = true;
    }
    const text = space >= 0 ? space + 1 : start;
    // A line without a time belongs to the one before it.
    if (!this.#isSkipping) {
      this.#deliver(bytes, start, text, end, isStart, isEnd);
    } else if (this.#bytesToSkip !== undefined) {
      this.#deliverRest(this.#bytesToSkip, bytes, text, end, isEnd);
    }
  }

  #onTime(bytes: Buffer, start: number, end: number): void {
    const { view, until } = this.#decoding;
    const after = this.#position.isResuming ? this.#position.time : "";
    const place = this.#position.see(bytes, start, end);
    this.#isSkipping = place === "seen" || place === "last";
    this.#bytesToSkip = place === "last" && this.#openBytes > 0 ? this.#openBytes : undefined;
    if (place === "after-gap") {
      this.#add(view.mark({ type: "gap", after, reason: this.#gapReason }));
    }
    this.#isDone = until !== undefined && millisecondsOf(bytes, start, end) >= until.getTime();
  }

  /** Delivers what is new of a line that was cut off when it had been yielded in part. */
  #deliverRest(
    bytesToSkip: number,
    bytes: Buffer,
    text: number,
    end: number,
    isEnd: boolean,
  ): void {
    const skipped = Math.min(bytesToSkip, end - text);
    this.#bytesToSkip = isEnd ? undefined : bytesToSkip - skipped;
    if (text + skipped < end) {
      this.#isSkipping = false;
      this.#deliver(bytes, text + skipped, text + skipped, end, false, isEnd);
    }
  }

  #deliver(
    bytes: Buffer,
    start: number,
    text: number,
    end: number,
    isStart: boolean,
    isEnd: boolean,
  ): void {
    if (this.#isDone) {
      return;
    }
    const { view, keepsTime } = this.#decoding;
    this.#openBytes = isEnd ? 0 : (isStart ? 0 : this.#openBytes) + end - text;
    const size = end - (keepsTime ? start : text);
    const cut = Math.max(0, size - this.#bytesLeft);
    this.#bytesLeft -= size + (isEnd ? 1 : 0);
    this.#isDone = this.#bytesLeft <= 0;
    this.#add(view.line(bytes, start, text, end - cut, !isEnd));
  }

  #add(item: T | undefined): void {
    if (item !== undefined) {
      this.#items.push(item);
    }
  }
}

function millisecondsOf(bytes: Buffer, start: number, end: number): number {
  const second = bytes.toString("latin1", start, start + secondLength);
  const offset = bytes.toString("latin1", offsetStart(bytes, start, end), end);
  return Date.parse(second + offset) + nanosOf(bytes, start) / 1e6;
}
