import { nanosOf, offsetStart, secondLength } from "./line-time.js";

/**
 * Maximum number of lines of one second that are remembered one by one. Beyond, those up to the last time count as
 * seen.
 */
const maxRemembered = 1024 * 1024;

const letterZ = 0x5a;

/** Milliseconds by which a line must be earlier than the last one to mean that the node's clock was set back. */
const setBackMs = 10_000;

/**
 * The place in a log up to which it has been read. Servers resume at whole seconds (the API server truncates
 * `sinceTime`), so the lines of the last second come again: they are recognised by their nanoseconds, each as often as it
 * was seen. Times are compared as the node wrote them, since a Date has milliseconds only, and never with our own clock.
 */
export class LogPosition {
  /** The last second as written, and its offset. */
  #second = Buffer.alloc(0);
  #offset = "";
  #epoch = 0;
  /** Nanoseconds of the lines of that second, in order. */
  #nanos: number[] = [];
  #last = 0;
  #isOverflown = false;
  #resumed: ResumedLines | undefined;

  /** Time from which a request must read to miss nothing; `undefined` before the first line. */
  get sinceTime(): string | undefined {
    return this.#second.byteLength === 0
      ? undefined
      : `${this.#second.toString("latin1")}${this.#offset}`;
  }

  /** Time of the last line; empty before the first one. */
  get time(): string {
    const nanos = String(this.#last).padStart(9, "0");
    return this.#second.byteLength === 0
      ? ""
      : `${this.#second.toString("latin1")}.${nanos}${this.#offset}`;
  }

  /** `true` until the first new line after {@link resume}. */
  get isResuming(): boolean {
    return this.#resumed !== undefined;
  }

  /** Expects the lines since {@link sinceTime} again; without a line, `mayMiss` decides whether a gap is possible. */
  resume(mayMiss: boolean): void {
    const counts = new Map<number, number>();
    for (const nanos of this.#nanos) {
      counts.set(nanos, (counts.get(nanos) ?? 0) + 1);
    }
    this.#resumed = { counts, hasLast: this.sinceTime === undefined && !mayMiss };
  }

  /** Classifies the line whose time is at an index, and moves the position to it if it is new. */
  see(bytes: Buffer, start: number, end: number): "after-gap" | "last" | "new" | "seen" {
    const order = this.#compareSecond(bytes, start, end);
    const nanos = nanosOf(bytes, start);
    const resumed = this.#resumed;
    if (resumed !== undefined) {
      if (this.#wasSeen(resumed, order, nanos)) {
        const isLast = order === 0 && nanos === this.#last && !resumed.counts.has(nanos);
        resumed.hasLast ||= isLast;
        return isLast ? "last" : "seen";
      }
      // Lines keep their order, so none that was seen follows a new one.
      this.#resumed = undefined;
      this.#move(bytes, start, end, order, nanos);
      return resumed.hasLast ? "new" : "after-gap";
    }
    this.#move(bytes, start, end, order, nanos);
    return "new";
  }

  #wasSeen(resumed: ResumedLines, order: number, nanos: number): boolean {
    if (order !== 0) {
      return order < 0;
    }
    const left = resumed.counts.get(nanos) ?? 0;
    if (left === 0) {
      return this.#isOverflown && nanos <= this.#last;
    }
    if (left === 1) {
      resumed.counts.delete(nanos);
    } else {
      resumed.counts.set(nanos, left - 1);
    }
    return true;
  }

  #move(bytes: Buffer, start: number, end: number, order: number, nanos: number): void {
    if (order !== 0) {
      const second = Buffer.from(bytes.subarray(start, start + secondLength));
      const offset = offsetOf(bytes, start, end);
      const epoch = epochOf(second, offset);
      // Two outputs of a container may be written a little out of order. More than that is a clock that was set back:
      // resuming at the later time would miss lines.
      if (order < 0 && epoch > this.#epoch - setBackMs) {
        return;
      }
      this.#second = second;
      this.#offset = offset;
      this.#epoch = epoch;
      this.#nanos = [];
      this.#isOverflown = false;
    }
    this.#last = nanos;
    if (this.#nanos.length < maxRemembered) {
      this.#nanos.push(nanos);
    } else {
      this.#isOverflown = true;
    }
  }

  /** Returns a number above 0 when the second of a time is after ours, and 0 when it is the same. */
  #compareSecond(bytes: Buffer, start: number, end: number): number {
    const second = this.#second;
    if (second.byteLength === 0) {
      return 1;
    }
    // From its end, where seconds differ.
    let at = secondLength - 1;
    while (at >= 0 && bytes[start + at] === second[at]) {
      at--;
    }
    const hasOurOffset =
      this.#offset === "Z"
        ? bytes[end - 1] === letterZ
        : offsetOf(bytes, start, end) === this.#offset;
    if (at < 0 && hasOurOffset) {
      return 0;
    }
    const given = bytes.subarray(start, start + secondLength);
    return hasOurOffset
      ? Buffer.compare(given, second)
      : epochOf(given, offsetOf(bytes, start, end)) - this.#epoch;
  }
}

/** The lines of the last second that are still expected again. */
interface ResumedLines {
  readonly counts: Map<number, number>;
  /** `true` once the last line came again, so that nothing is missing between it and a new one. */
  hasLast: boolean;
}

function offsetOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", offsetStart(bytes, start, end), end);
}

function epochOf(second: Buffer, offset: string): number {
  return Date.parse(`${second.toString("latin1")}${offset}`);
}
