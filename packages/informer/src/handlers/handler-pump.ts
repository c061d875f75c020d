import type { KubeObject } from "@typekube/api";
import type { Change } from "./change.js";
import type { ChangeHandler } from "./change-handler.js";

/** Calls one handler for one change after the other, whatever the others do. */
export class HandlerPump<T extends KubeObject> {
  readonly #handler: ChangeHandler<T>;
  readonly #onError: (error: unknown) => void;
  #queue: (Change<T> | (() => void))[] = [];
  #running: Promise<void> | undefined;
  #removed = false;

  readonly #onRemoved: () => void;

  constructor(handler: ChangeHandler<T>, onError: (error: unknown) => void, onRemoved: () => void) {
    this.#handler = handler;
    this.#onRemoved = onRemoved;
    this.#onError = (error) => (handler.onError ? handler.onError(error) : onError(error));
  }

  /** Queues changes. */
  push(changes: readonly Change<T>[]): void {
    if (this.#removed) {
      return;
    }
    for (const change of changes) {
      this.#queue.push(change);
    }
    this.#start();
  }

  /** Calls back when everything that is queued now was delivered. */
  whenDelivered(callback: () => void): void {
    if (!this.#removed) {
      this.#queue.push(callback);
      this.#start();
    }
  }

  /** Drops what is queued and waits for the call in progress. */
  async remove(): Promise<void> {
    this.#removed = true;
    this.#queue = [];
    this.#onRemoved();
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
    // The first call comes after the caller of push is done: a handler never runs inside the store's own code.
    await undefined;
    while (this.#queue.length > 0 && !this.#removed) {
      const queue = this.#queue;
      this.#queue = [];
      for (const item of queue) {
        if (this.#removed) {
          return;
        }
        if (typeof item === "function") {
          item();
          continue;
        }
        try {
          const pending = this.#call(item);
          if (pending instanceof Promise) {
            await pending;
          }
        } catch (error) {
          this.#report(error);
        }
      }
    }
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // Whoever reports errors with an error has nobody left to tell.
    }
  }

  #call(change: Change<T>): unknown {
    const handler = this.#handler;
    switch (change.type) {
      case "add":
        return handler.add?.(change.object, change.initial);
      case "update":
        return handler.update?.(change.object, change.previous);
      case "replaced":
        return handler.replaced
          ? handler.replaced(change.object, change.previous)
          : handler.update?.(change.object, change.previous);
      case "delete":
        return handler.delete?.(change.object, change.finalStateUnknown);
      default:
        return change satisfies never;
    }
  }
}
