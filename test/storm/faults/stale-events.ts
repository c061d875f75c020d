import { concatBytes } from "@typekube/core/internal";
import type { EventFault } from "./fault.js";
import { FrameCutter } from "./frames.js";

/** Number of events that a stale server repeats. */
const remembered = 4;

const initialEventsEnd = Buffer.from("k8s.io/initial-events-end");
const bookmark = Buffer.from("BOOKMARK");
const error = Buffer.from("ERROR");

/** Source of event faults, and callbacks for their outcome. */
export interface EventFaults {
  /** Returns the fault for the current event; called for each live event. */
  next(): EventFault | undefined;
  /** Called when a fault struck. */
  onStrike(fault: EventFault): void;
  /** Called when a fault had no event to strike. */
  onUnused(fault: EventFault): void;
}

/**
 * Changes the events of one watch as a stale server would: {@link take} returns its input, changed once for each fault.
 * Initial events, bookmarks and errors stay unchanged.
 */
export class StaleEvents {
  readonly #cutter: FrameCutter;
  readonly #faults: EventFaults;
  readonly #reported: Uint8Array[] = [];
  /** Event that will be swapped with the next one. */
  #held: { readonly frame: Uint8Array; readonly fault: EventFault } | undefined;
  #isLive: boolean;

  constructor(contentType: string, isLive: boolean, faults: EventFaults) {
    this.#cutter = new FrameCutter(contentType);
    this.#isLive = isLive;
    this.#faults = faults;
  }

  /** Returns the bytes to forward for the bytes that arrived; may be empty. */
  take(chunk: Uint8Array): Uint8Array {
    return concatBytes(this.#cutter.push(chunk).flatMap((frame) => this.#event(frame)));
  }

  /** Returns the remaining bytes when the stream ends normally. */
  rest(): Uint8Array {
    return concatBytes([...this.#release(), this.#cutter.rest]);
  }

  /** Ends the stream, for whatever reason. */
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
      // The held event follows the event after it.
      const { frame: before, fault } = this.#held;
      this.#held = undefined;
      this.#faults.onStrike(fault);
      return this.#tell(frame, before);
    }
    const fault = this.#faults.next();
    switch (fault?.kind) {
      case "duplicate-events":
        this.#faults.onStrike(fault);
        return [...this.#tell(frame), ...this.#reported];
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
    this.#reported.push(...frames);
    this.#reported.splice(0, this.#reported.length - remembered);
    return frames;
  }

  /** Forwards the held event in its original position. */
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
