import { concatBytes } from "@typekube/core";
import type { EventFault } from "./fault.js";
import { FrameCutter } from "./frames.js";

/** How many events a stale server tells again. */
const remembered = 4;

const initialEventsEnd = Buffer.from("k8s.io/initial-events-end");
const bookmark = Buffer.from("BOOKMARK");
const error = Buffer.from("ERROR");

/**
 * The events of one watch as a stale server tells them: what {@link take} is given comes out changed once for each fault
 * that `next` hands over. Initial events, bookmarks and errors are left alone.
 */
export class StaleEvents {
  readonly #cutter: FrameCutter;
  readonly #next: () => EventFault["kind"] | undefined;
  readonly #told: Uint8Array[] = [];
  #held: Uint8Array | undefined;
  #isLive: boolean;

  /** @param next - the fault for the event at hand, which has then struck; asked for each live event. */
  constructor(contentType: string, isLive: boolean, next: () => EventFault["kind"] | undefined) {
    this.#cutter = new FrameCutter(contentType);
    this.#isLive = isLive;
    this.#next = next;
  }

  /** The bytes to pass on for the bytes that came; perhaps none. */
  take(chunk: Uint8Array): Uint8Array {
    return concatBytes(this.#cutter.push(chunk).flatMap((frame) => this.#event(frame)));
  }

  /** What is still here when the stream ends by itself. */
  rest(): Uint8Array {
    return concatBytes([...this.#release(), this.#cutter.rest]);
  }

  #event(frame: Uint8Array): Uint8Array[] {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    const isControl = bytes.includes(bookmark) || bytes.includes(error);
    if (!this.#isLive || isControl) {
      this.#isLive ||= bytes.includes(initialEventsEnd);
      return [...this.#release(), frame];
    }
    if (this.#held !== undefined) {
      // The event that was held back comes after the one that followed it.
      return this.#tell(frame, ...this.#release());
    }
    switch (this.#next()) {
      case "duplicate-events":
        return [...this.#tell(frame), ...this.#told];
      case "reordered-events":
        this.#held = frame;
        return [];
      case "dropped-event":
        return [];
      default:
        return this.#tell(frame);
    }
  }

  #tell(...frames: Uint8Array[]): Uint8Array[] {
    this.#told.push(...frames);
    this.#told.splice(0, this.#told.length - remembered);
    return frames;
  }

  #release(): Uint8Array[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [held];
  }
}
