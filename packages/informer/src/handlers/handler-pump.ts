import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { callSafely } from "../callbacks/call-safely.js";
import { isThenable } from "../callbacks/is-thenable.js";
import { TimeSlice } from "../callbacks/time-slice.js";
import type { Change } from "../events/change.js";
import type { HandlerOptions } from "../options/handler-options.js";
import type { AddInfo, ChangeHandler, DeleteInfo } from "./change-handler.js";
import { ChangeQueue } from "./change-queue.js";
import { filterChange } from "./filter-change.js";

// Shared and frozen: a delivery allocates nothing.
const initialAdd: AddInfo = Object.freeze({ initial: true, moved: false });
const laterAdd: AddInfo = Object.freeze({ initial: false, moved: false });
const movedAdd: AddInfo = Object.freeze({ initial: false, moved: true });
const plainDelete: DeleteInfo = Object.freeze({ finalStateUnknown: false, moved: false });
const missedDelete: DeleteInfo = Object.freeze({ finalStateUnknown: true, moved: false });
const movedDelete: DeleteInfo = Object.freeze({ finalStateUnknown: false, moved: true });
const missedMove: DeleteInfo = Object.freeze({ finalStateUnknown: true, moved: true });

function addInfo({ initial, moved }: Addition): AddInfo {
  return moved === true ? movedAdd : initial ? initialAdd : laterAdd;
}

function deleteInfo({ finalStateUnknown, moved }: Deletion): DeleteInfo {
  if (moved === true) {
    return finalStateUnknown ? missedMove : movedDelete;
  }
  return finalStateUnknown ? missedDelete : plainDelete;
}

type Addition = Extract<Change, { readonly type: "add" }>;
type Deletion = Extract<Change, { readonly type: "delete" }>;

/** Callbacks of a pump. */
export interface PumpEvents {
  onError(error: unknown): void;
  onRemoved(): void;
}

/**
 * Delivers changes to one handler, one call after the other and independently of other handlers. Yields to the event
 * loop in between.
 */
export class HandlerPump<T extends KubeObject> {
  readonly #handler: ChangeHandler<T>;
  readonly #events: PumpEvents;
  readonly #filter: HandlerOptions<T>["filter"];
  readonly #queue: ChangeQueue<T>;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;
  #removed = false;

  constructor(
    handler: ChangeHandler<T>,
    events: PumpEvents,
    clock: Clock,
    { maxQueued, filter }: HandlerOptions<T> = {},
  ) {
    this.#handler = handler;
    this.#events = events;
    this.#clock = clock;
    this.#filter = filter;
    this.#queue = new ChangeQueue(maxQueued);
  }

  /** Number of queued changes. */
  get queued(): number {
    return this.#queue.length;
  }

  push(changes: readonly Change<T>[]): void {
    if (!this.#removed && changes.length > 0) {
      this.#queue.push(changes);
      this.#start();
    }
  }

  /** Queues changes, except for objects that already have a queued change: the handler is called for those anyway. */
  pushIfIdle(changes: readonly Change<T>[]): void {
    const waiting = this.#queue.keys();
    this.push(waiting.size === 0 ? changes : changes.filter(({ key }) => !waiting.has(key)));
  }

  /** Calls back when everything that is queued now was delivered. */
  whenDelivered(callback: () => void): void {
    if (!this.#removed) {
      this.#queue.mark(callback);
      this.#start();
    }
  }

  /** Drops the queued changes and waits for the call in progress. */
  async remove(): Promise<void> {
    if (!this.#removed) {
      this.#removed = true;
      this.#queue.clear();
      this.#events.onRemoved();
    }
    await this.#running;
  }

  #start(): void {
    if (this.#running === undefined && this.#queue.length > 0) {
      this.#running = this.#run();
    }
  }

  async #run(): Promise<void> {
    const report = (error: unknown) => this.#report(error);
    try {
      // Wait until the caller of push has finished: a handler never runs inside the store's own code.
      await undefined;
      const slice = new TimeSlice(this.#clock);
      for (;;) {
        if (slice.isOver) {
          await slice.rest();
        }
        const item = this.#queue.shift();
        if (item === undefined) {
          return;
        }
        if (typeof item === "function") {
          item();
          continue;
        }
        try {
          const change = this.#filter ? filterChange(item, this.#filter, report) : item;
          const pending = change && this.#call(change);
          if (isThenable(pending)) {
            await pending;
          }
        } catch (error) {
          report(error);
        }
      }
    } finally {
      this.#running = undefined;
      this.#start();
    }
  }

  #report(error: unknown): void {
    const { onError } = this.#handler;
    callSafely(() => (onError ? onError.call(this.#handler, error) : this.#events.onError(error)));
  }

  #call(change: Change<T>): unknown {
    const handler = this.#handler;
    switch (change.type) {
      case "add":
        return handler.add?.(change.object, addInfo(change));
      case "update":
        return handler.update?.(change.object, change.previous);
      case "replaced":
        return handler.replaced
          ? handler.replaced(change.object, change.previous)
          : handler.update?.(change.object, change.previous);
      case "delete":
        return handler.delete?.(change.object, deleteInfo(change));
      default:
        return change satisfies never;
    }
  }
}
