import type { KubeObject } from "@typekube/api";
import { type Clock, KubeError } from "@typekube/core";
import { Waiters } from "../waiters.js";
import type { Change } from "./change.js";
import type { ChangeHandler, HandlerHandle, HandlerOptions } from "./change-handler.js";
import { ChangeStream } from "./change-stream.js";
import { HandlerPump } from "./handler-pump.js";

/** Everybody who hears of changes: handlers and cursors, each at its own pace. */
export class Audience<T extends KubeObject> {
  readonly #clock: Clock;
  readonly #onError: (error: KubeError) => void;
  readonly #pumps = new Set<HandlerPump<T>>();
  readonly #streams = new Set<ChangeStream<T>>();
  /** Marks that handlers wait for, set right behind the first picture. */
  readonly #onFirstPicture: (() => void)[] = [];
  #hadFirstPicture = false;

  constructor(clock: Clock, onError: (error: KubeError) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Tells everybody. */
  publish(changes: readonly Change<T>[]): void {
    if (changes.length === 0) {
      return;
    }
    for (const pump of this.#pumps) {
      pump.push(changes);
    }
    for (const stream of this.#streams) {
      stream.push(changes);
    }
  }

  /** The first picture was published. */
  firstPictureDone(): void {
    this.#hadFirstPicture = true;
    for (const mark of this.#onFirstPicture.splice(0)) {
      mark();
    }
  }

  /**
   * Adds a handler.
   *
   * @param present - everything that is there as adds: the handler is told of it first, and at each resync.
   */
  add(
    handler: ChangeHandler<T>,
    present: () => readonly Change<T>[],
    { resyncMs = 0 }: HandlerOptions = {},
  ): HandlerHandle {
    const waiters = new Waiters(this.#clock);
    let delivered = false;
    let removed = false;
    const pump = new HandlerPump<T>(
      handler,
      (error) => this.#onError(KubeError.from(error)),
      () => {
        removed = true;
        stopResync();
        waiters.failAll(removedError);
      },
    );
    const stopResync = this.#resync(resyncMs, () => pump.push(present().map(asResync)));
    this.#pumps.add(pump);
    pump.push(present());
    const markDelivered = () =>
      pump.whenDelivered(() => {
        delivered = true;
        waiters.check();
      });
    if (this.#hadFirstPicture) {
      markDelivered();
    } else {
      this.#onFirstPicture.push(markDelivered);
    }
    return {
      synced: async (options = {}) => {
        if (removed && !delivered) {
          throw removedError();
        }
        await waiters.wait({
          signal: options.signal,
          until: () => delivered,
          failure: removedError,
        });
      },
      remove: async () => {
        this.#pumps.delete(pump);
        await pump.remove();
      },
    };
  }

  /** Calls back each period; returns what ends that. */
  #resync(periodMs: number, callback: () => void): () => void {
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

  /** Adds a cursor; it reads `present` first. */
  stream(present: readonly Change<T>[]): ChangeStream<T> {
    const stream: ChangeStream<T> = new ChangeStream<T>(() => this.#streams.delete(stream));
    stream.push(present);
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
    await Promise.all([...this.#pumps].map((pump) => pump.remove()));
  }
}

/** An object that is there, as an update that changes nothing. */
function asResync<T extends KubeObject>({ key, object }: Change<T>): Change<T> {
  return { type: "update", key, object, previous: object };
}

function removedError(): KubeError {
  return new KubeError("Closed", "the handler was removed");
}
