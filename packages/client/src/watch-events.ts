import type { WireWatchEvent } from "@typekube/core";
import { errorFromEvent } from "./resource-reader.js";
import type { WatchEvent } from "./watch-event.js";

type Result = IteratorResult<WatchEvent, undefined>;

const over: Result = { done: true, value: undefined };

/**
 * The events of a watch one by one, out of the groups in which they arrive, as a generator would yield them. Made by hand, since
 * a generator costs each event a quarter of a microsecond, and finding and parsing it in JSON is to cost one more at most.
 */
export class WatchEvents implements AsyncIterableIterator<WatchEvent, undefined> {
  readonly #batches: AsyncIterator<readonly WireWatchEvent[]>;
  readonly #onUnknown: (type: string) => void;
  #batch: readonly WireWatchEvent[] = [];
  #at = 0;
  /** What waits for more to come, one after the other. What is asked for meanwhile comes after it. */
  #steps = 0;
  #lastStep: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** @param onUnknown - told of types of a later server, whose events are left out. */
  constructor(
    batches: AsyncIterable<readonly WireWatchEvent[]>,
    onUnknown: (type: string) => void,
  ) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#onUnknown = onUnknown;
  }

  next(): Promise<Result> {
    const event = this.#steps === 0 ? this.#batch[this.#at] : undefined;
    if (event !== undefined && isTold(event)) {
      this.#at++;
      return Promise.resolve({ done: false, value: event });
    }
    return this.#inTurn(() => this.#step());
  }

  return(): Promise<Result> {
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
      throw error;
    }
  }

  async #advance(): Promise<Result> {
    while (!this.#isOver) {
      for (let event = this.#batch[this.#at]; event; event = this.#batch[this.#at]) {
        this.#at++;
        if (isTold(event)) {
          return { done: false, value: event };
        }
        if (event.type === "ERROR") {
          throw errorFromEvent(event);
        }
        this.#onUnknown(event.type);
      }
      const next = await this.#batches.next();
      this.#at = 0;
      this.#batch = next.done === true ? [] : next.value;
      this.#isOver ||= next.done === true;
    }
    return over;
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#batch = [];
    await this.#batches.return?.();
  }
}

function isTold(event: WireWatchEvent): event is WatchEvent {
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
