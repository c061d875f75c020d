import { type LinkedAbort, linkAbort, type WireWatchEvent } from "@typekube/core/internal";
import { assertCallOptions } from "./call-options.js";
import type { CallOptions } from "./options.js";
import { errorFromEvent } from "./resource-reader.js";
import type { WatchEvent } from "./watch-event.js";

type Result = IteratorResult<WatchEvent, undefined>;

type Batches = AsyncIterable<readonly WireWatchEvent[]>;

/** A watch that has begun, and what ends it while it waits. */
interface Source {
  readonly abort: LinkedAbort;
  readonly batches: AsyncIterator<readonly WireWatchEvent[]>;
}

const over: Result = { done: true, value: undefined };

/**
 * The events of a watch one by one, out of the groups in which they arrive, as a generator would yield them. Made by hand, since
 * a generator costs each event a quarter of a microsecond, and finding and parsing it in JSON is to cost one more at most.
 */
export class WatchEvents implements AsyncIterableIterator<WatchEvent, undefined> {
  readonly #start: (signal: AbortSignal) => Batches;
  readonly #onUnknown: (type: string) => void;
  readonly #options: CallOptions;
  #source: Source | undefined;
  #batch: readonly WireWatchEvent[] = [];
  #at = 0;
  /** What waits for more to come, one after the other. What is asked for meanwhile comes after it. */
  #steps = 0;
  #lastStep: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** Why a wait was ended, once a reader left while it waited. */
  #left: DOMException | undefined;

  /**
   * @param start - begins the watch once somebody asks for an event; its waits end with the signal that it gets.
   * @param onUnknown - told of types of a later server, whose events are left out.
   * @param options - the caller's, with the signal that ends the watch as well.
   */
  constructor(
    start: (signal: AbortSignal) => Batches,
    onUnknown: (type: string) => void,
    options: CallOptions = {},
  ) {
    this.#start = start;
    this.#onUnknown = onUnknown;
    this.#options = options;
  }

  next(): Promise<Result> {
    const event = this.#steps === 0 ? this.#batch[this.#at] : undefined;
    if (event !== undefined && isDelivered(event)) {
      this.#at++;
      return Promise.resolve({ done: false, value: event });
    }
    return this.#inTurn(() => this.#step());
  }

  return(): Promise<Result> {
    if (this.#steps > 0) {
      // What waits for the network cannot be ended from outside, and may wait for hours: its wait is ended.
      this.#left ??= new DOMException("the iteration was stopped", "AbortError");
      this.#source?.abort.abort(this.#left);
    }
    return this.#inTurn(async () => {
      await this.#end();
      return over;
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #inTurn(step: () => Promise<Result>): Promise<Result> {
    this.#steps++;
    const result = this.#lastStep.then(step);
    this.#lastStep = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#steps--;
    }
  }

  async #step(): Promise<Result> {
    try {
      return await this.#advance();
    } catch (error) {
      // The reason why it ends is the one to tell.
      await this.#end().catch(() => {});
      if (this.#left && error === this.#left) {
        return over;
      }
      throw error;
    }
  }

  async #advance(): Promise<Result> {
    while (!this.#isOver) {
      for (let event = this.#batch[this.#at]; event; event = this.#batch[this.#at]) {
        this.#at++;
        if (isDelivered(event)) {
          return { done: false, value: event };
        }
        if (event.type === "ERROR") {
          throw errorFromEvent(event);
        }
        this.#onUnknown(event.type);
      }
      this.#source ??= this.#begin();
      const next = await this.#source.batches.next();
      this.#at = 0;
      this.#batch = next.done === true ? [] : next.value;
      if (next.done === true) {
        await this.#end();
      }
    }
    return over;
  }

  #begin(): Source {
    assertCallOptions(this.#options);
    const abort = linkAbort(this.#options.signal);
    if (this.#left) {
      abort.abort(this.#left);
    }
    return { abort, batches: this.#start(abort.signal)[Symbol.asyncIterator]() };
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#batch = [];
    this.#source?.abort[Symbol.dispose]();
    await this.#source?.batches.return?.();
  }
}

function isDelivered(event: WireWatchEvent): event is WatchEvent {
  switch (event.type) {
    case "ADDED":
    case "BOOKMARK":
    case "DELETED":
    case "MODIFIED":
      return true;
    default:
      return false;
  }
}
