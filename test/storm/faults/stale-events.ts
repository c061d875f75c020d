import { concatBytes } from "@typekube/core/internal";
import type { EventFault } from "./fault.js";
import { FrameCutter } from "./frames.js";

/** How many events a stale server tells again. */
const remembered = 4;

const initialEventsEnd = Buffer.from("k8s.io/initial-events-end");
const bookmark = Buffer.from("BOOKMARK");
const error = Buffer.from("ERROR");

/** Where the faults of events come from, and who hears what became of them. */
export interface EventFaults {
  /** The fault for the event at hand; asked for each live event. */
  next(): EventFault | undefined;
  /** It struck. */
  onStrike(fault: EventFault): void;
  /** Nothing came that it could strike. */
  onUnused(fault: EventFault): void;
}

/**
 * The events of one watch as a stale server tells them: what {@link take} is given comes out changed once for each fault.
 * Initial events, bookmarks and errors are left alone.
 */
export class StaleEvents {
  readonly #cutter: FrameCutter;
  readonly #faults: EventFaults;
  readonly #told: Uint8Array[] = [];
  /** An event that is to change places with the next one. */
  #held: { readonly frame: Uint8Array; readonly fault: EventFault } | undefined;
  #isLive: boolean;

  constructor(contentType: string, isLive: boolean, faults: EventFaults) {
    this.#cutter = new FrameCutter(contentType);
    this.#isLive = isLive;
    this.#faults = faults;
  }

  /** The bytes to pass on for the bytes that came; perhaps none. */
  take(chunk: Uint8Array): Uint8Array {
    return concatBytes(this.#cutter.push(chunk).flatMap((frame) => this.#event(frame)));
  }

  /** What is still here when the stream ends by itself. */
  rest(): Uint8Array {
    return concatBytes([...this.#release(), this.#cutter.rest]);
  }

  /** The stream is over, however it ended. */
  end(): void {
    this.#release();
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
      const { frame: before, fault } = this.#held;
      this.#held = undefined;
      this.#faults.onStrike(fault);
      return this.#tell(frame, before);
    }
    const fault = this.#faults.next();
    switch (fault?.kind) {
      case "duplicate-events":
        this.#faults.onStrike(fault);
        return [...this.#tell(frame), ...this.#told];
      case "reordered-events":
        this.#held = { frame, fault };
        return [];
      case "dropped-event":
        this.#faults.onStrike(fault);
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

  /** What was held back goes on in its place after all. */
  #release(): Uint8Array[] {
    if (this.#held === undefined) {
      return [];
    }
    const { frame, fault } = this.#held;
    this.#held = undefined;
    this.#faults.onUnused(fault);
    return [frame];
  }
}
