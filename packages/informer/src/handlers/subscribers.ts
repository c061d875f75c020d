import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Change } from "../events/change.js";
import { assertHandlerOptions, type HandlerOptions } from "../options/handler-options.js";
import { assertWaitOptions } from "../options/wait-options.js";
import { Waiters } from "../waits/waiters.js";
import { assertHandler } from "./assert-handler.js";
import type { ChangeHandler, HandlerHandle } from "./change-handler.js";
import { ChangeStream } from "./change-stream.js";
import { HandlerPump } from "./handler-pump.js";

/** The subscribers of one informer: handlers and iterators, each with its own queue. */
export class Subscribers<T extends KubeObject> {
  readonly #clock: Clock;
  readonly #present: () => readonly Change<T>[];
  readonly #onError: (error: KubeError) => void;
  readonly #handlers = new Map<HandlerPump<T>, HandlerHandle>();
  readonly #streams = new Set<ChangeStream<T>>();
  /** Callbacks that queue each handler's mark right behind the first snapshot. */
  readonly #onFirstSnapshot = new Set<() => void>();
  #hadFirstSnapshot = false;

  /** @param present - returns all cached objects as adds, for new handlers and for resyncs. */
  constructor(
    clock: Clock,
    present: () => readonly Change<T>[],
    onError: (error: KubeError) => void,
  ) {
    this.#clock = clock;
    this.#present = present;
    this.#onError = onError;
  }

  /** Number of changes queued for the slowest handler. */
  get queued(): number {
    return Math.max(0, ...[...this.#handlers.keys()].map((pump) => pump.queued));
  }

  /** `true` while there is a handler or an iterator. */
  get isUsed(): boolean {
    return this.#handlers.size > 0 || this.#streams.size > 0;
  }

  /** Queues changes for every subscriber. */
  publish(changes: readonly Change<T>[]): void {
    if (changes.length === 0) {
      return;
    }
    for (const pump of this.#handlers.keys()) {
      pump.push(changes);
    }
    for (const stream of this.#streams) {
      stream.push(changes);
    }
  }

  /** Called when the first snapshot was published. */
  firstSnapshotDone(): void {
    this.#hadFirstSnapshot = true;
    for (const mark of this.#onFirstSnapshot) {
      mark();
    }
    this.#onFirstSnapshot.clear();
  }

  add(handler: ChangeHandler<T>, options: HandlerOptions<T> = {}): HandlerHandle {
    assertHandlerOptions(options);
    assertHandler(handler);
    const waiters = new Waiters(this.#clock);
    let delivered = false;
    let removed = false;
    const events = {
      onError: (error: unknown) => this.#onError(KubeError.from(error)),
      onRemoved: () => {
        removed = true;
        stopResync();
        waiters.failAll(removedError);
      },
    };
    const pump = new HandlerPump<T>(handler, events, this.#clock, options);
    const resync = () => pump.pushIfIdle(this.#present().map(asResync));
    const stopResync = this.#everyPeriod(options.resyncMs ?? 0, resync);
    const markDelivered = () =>
      pump.whenDelivered(() => {
        delivered = true;
        waiters.check();
      });
    const handle = new Handle(pump, {
      synced: async (options = {}) => {
        assertWaitOptions(options);
        if (removed && !delivered) {
          throw removedError();
        }
        await waiters.wait({
          ...options,
          until: () => delivered,
          failure: notDelivered,
        });
      },
      resync,
      remove: async () => {
        this.#handlers.delete(pump);
        this.#onFirstSnapshot.delete(markDelivered);
        await pump.remove();
      },
    });
    this.#handlers.set(pump, handle);
    pump.push(this.#present());
    if (this.#hadFirstSnapshot) {
      markDelivered();
    } else {
      this.#onFirstSnapshot.add(markDelivered);
    }
    return handle;
  }

  /** Resyncs every handler: queues an update without a change for each cached object. */
  resync(): void {
    for (const handle of this.#handlers.values()) {
      handle.resync();
    }
  }

  /** Calls back once per period; returns a function that stops it. */
  #everyPeriod(periodMs: number, callback: () => void): () => void {
    if (periodMs <= 0) {
      return () => {};
    }
    let cancel = () => {};
    const arm = () => {
      cancel = this.#clock.schedule(periodMs, () => {
        callback();
        arm();
      });
    };
    arm();
    return () => cancel();
  }

  /** Adds an iterator, which first yields the cached objects. */
  stream(): ChangeStream<T> {
    const stream: ChangeStream<T> = new ChangeStream<T>(this.#clock, () =>
      this.#streams.delete(stream),
    );
    stream.push(this.#present());
    this.#streams.add(stream);
    return stream;
  }

  /** Ends the iterators: each one finishes after its pending changes. */
  endStreams(): void {
    for (const stream of this.#streams) {
      stream.end();
    }
    this.#streams.clear();
  }

  /** Removes all handlers. None is called after the promise resolves. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handle) => handle.remove()));
  }
}

class Handle implements HandlerHandle {
  readonly synced: HandlerHandle["synced"];
  readonly resync: HandlerHandle["resync"];
  readonly remove: HandlerHandle["remove"];
  readonly #pump: { readonly queued: number };

  constructor(
    pump: { readonly queued: number },
    { synced, resync, remove }: Omit<HandlerHandle, "queued">,
  ) {
    this.#pump = pump;
    this.synced = synced;
    this.resync = resync;
    this.remove = remove;
  }

  get queued(): number {
    return this.#pump.queued;
  }
}

/** Turns a cached object into an update without a change. */
function asResync<T extends KubeObject>({ key, object }: Change<T>): Change<T> {
  return { type: "update", key, object, previous: object };
}

function notDelivered(): KubeError {
  return new KubeError("DeadlineExceeded", "the handler has not received all initial objects yet");
}

function removedError(): KubeError {
  return new KubeError("Closed", "the handler was removed");
}
