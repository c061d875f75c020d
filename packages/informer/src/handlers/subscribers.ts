import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { assertHandlerOptions, assertWaitOptions } from "../known-options.js";
import { Waiters } from "../waiters.js";
import { assertHandler } from "./assert-handler.js";
import type { Change } from "./change.js";
import type { ChangeHandler, HandlerHandle, HandlerOptions } from "./change-handler.js";
import { ChangeStream } from "./change-stream.js";
import { HandlerPump } from "./handler-pump.js";

/** Everybody who hears of changes through one informer: handlers and cursors, each at its own pace. */
export class Subscribers<T extends KubeObject> {
  readonly #clock: Clock;
  readonly #present: () => readonly Change<T>[];
  readonly #onError: (error: KubeError) => void;
  readonly #handlers = new Map<HandlerPump<T>, HandlerHandle>();
  readonly #streams = new Set<ChangeStream<T>>();
  /** Marks that handlers wait for, set right behind the first picture. */
  readonly #onFirstSnapshot = new Set<() => void>();
  #hadFirstPicture = false;

  /** @param present - everything that is there as adds: each handler is told of it first, and at each resync. */
  constructor(
    clock: Clock,
    present: () => readonly Change<T>[],
    onError: (error: KubeError) => void,
  ) {
    this.#clock = clock;
    this.#present = present;
    this.#onError = onError;
  }

  /** The changes that wait for the slowest handler. */
  get queued(): number {
    return Math.max(0, ...[...this.#handlers.keys()].map((pump) => pump.queued));
  }

  /** Tells everybody. */
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

  /** The first picture was published. */
  firstSnapshotDone(): void {
    this.#hadFirstPicture = true;
    for (const mark of this.#onFirstSnapshot) {
      mark();
    }
    this.#onFirstSnapshot.clear();
  }

  /** Adds a handler. */
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
    const handle: HandlerHandle = {
      get queued() {
        return pump.queued;
      },
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
    };
    this.#handlers.set(pump, handle);
    pump.push(this.#present());
    if (this.#hadFirstPicture) {
      markDelivered();
    } else {
      this.#onFirstSnapshot.add(markDelivered);
    }
    return handle;
  }

  /** Tells every handler of everything that is there, as updates that change nothing. */
  resync(): void {
    for (const handle of this.#handlers.values()) {
      handle.resync();
    }
  }

  /** Calls back each period; returns what ends that. */
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

  /** Adds a cursor; it reads what is there first. */
  stream(): ChangeStream<T> {
    const stream: ChangeStream<T> = new ChangeStream<T>(this.#clock, () =>
      this.#streams.delete(stream),
    );
    stream.push(this.#present());
    this.#streams.add(stream);
    return stream;
  }

  /** No change comes any more: cursors end when they are read out. */
  endStreams(): void {
    for (const stream of this.#streams) {
      stream.end();
    }
    this.#streams.clear();
  }

  /** No handler is called after it resolves. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handle) => handle.remove()));
  }
}

/** An object that is there, as an update that changes nothing. */
function asResync<T extends KubeObject>({ key, object }: Change<T>): Change<T> {
  return { type: "update", key, object, previous: object };
}

function notDelivered(): KubeError {
  return new KubeError("DeadlineExceeded", "the handler has not received all initial objects yet");
}

function removedError(): KubeError {
  return new KubeError("Closed", "the handler was removed");
}
