import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { callSafely } from "../call-safely.js";
import { isThenable } from "../is-thenable.js";
import { TimeSlice } from "../time-slice.js";
import type { Change } from "./change.js";
import type { AddInfo, ChangeHandler, DeleteInfo, HandlerOptions } from "./change-handler.js";
import { ChangeQueue } from "./change-queue.js";
import { filterChange } from "./filter-change.js";

// Shared and frozen: a delivery allocates nothing.
const initialAdd: AddInfo = Object.freeze({ initial: true });
const laterAdd: AddInfo = Object.freeze({ initial: false });
const plainDelete: DeleteInfo = Object.freeze({ finalStateUnknown: false, moved: false });
const missedDelete: DeleteInfo = Object.freeze({ finalStateUnknown: true, moved: false });
const movedDelete: DeleteInfo = Object.freeze({ finalStateUnknown: false, moved: true });
const missedMove: DeleteInfo = Object.freeze({ finalStateUnknown: true, moved: true });

function deleteInfo({ finalStateUnknown, moved }: Deletion): DeleteInfo {
  if (moved === true) {
    return finalStateUnknown ? missedMove : movedDelete;
  }
  return finalStateUnknown ? missedDelete : plainDelete;
}

type Deletion = Extract<Change, { readonly type: "delete" }>;

/** What a pump tells of. */
export interface PumpEvents {
  onError(error: unknown): void;
  onRemoved(): void;
}

/** Calls one handler for one change after the other, whatever the others do, and lets others have their turn in between. */
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

  /** How many changes wait. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Queues changes. */
  push(changes: readonly Change<T>[]): void {
    if (!this.#removed && changes.length > 0) {
      this.#queue.push(changes);
      this.#start();
    }
  }

  /** Queues changes of those objects that have none waiting: the others are told of in any case. */
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

  /** Drops what is queued and waits for the call in progress. */
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
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
        this.#start();
      });
    }
  }

  async #run(): Promise<void> {
    const report = (error: unknown) => this.#report(error);
    // The first call comes after the caller of push is done: a handler never runs inside the store's own code.
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
  }

  #report(error: unknown): void {
    const { onError } = this.#handler;
    callSafely(() => (onError ? onError.call(this.#handler, error) : this.#events.onError(error)));
  }

  #call(change: Change<T>): unknown {
    const handler = this.#handler;
    switch (change.type) {
      case "add":
        return handler.add?.(change.object, change.initial ? initialAdd : laterAdd);
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
