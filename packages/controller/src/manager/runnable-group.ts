import type { ClientCore } from "@typekube/client";
import { type Clock, type Random, sleep } from "@typekube/core/internal";
import { Backoff, defaultBackoff } from "@typekube/informer/internal";
import type { Log } from "../log/log.js";
import type { Runnable } from "./runnable.js";

/** Values that the parts of a group share. */
export interface GroupParts {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called with the first rejection of a part that may not be restarted. */
  readonly onFailure: (runnable: Runnable, error: unknown) => void;
}

/** Parts that start and stop together. A part that is added later starts at once if the others have. */
export class RunnableGroup {
  readonly #parts: GroupParts;
  readonly #all: Runnable[] = [];
  readonly #running = new Map<Runnable, Promise<void>>();
  #abort = new AbortController();
  #isStarted = false;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  /** Names of the parts that have not ended. */
  get running(): string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  add(runnable: Runnable): void {
    this.#all.push(runnable);
    if (this.#isStarted) {
      this.#start(runnable);
    }
  }

  /** Starts the parts, or starts them again after {@link stop}. */
  start(): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#abort = new AbortController();
      for (const runnable of this.#all) {
        this.#start(runnable);
      }
    }
  }

  /** Ends the parts; resolves when all have ended. */
  async stop(reason: unknown): Promise<void> {
    this.#isStarted = false;
    this.#abort.abort(reason);
    await Promise.all(this.#running.values());
  }

  #start(runnable: Runnable): void {
    const ended = this.#run(runnable).finally(() => this.#running.delete(runnable));
    this.#running.set(runnable, ended);
  }

  async #run(runnable: Runnable): Promise<void> {
    const { client, clock, random, log, onFailure } = this.#parts;
    const { signal } = this.#abort;
    const backoff = new Backoff(defaultBackoff, clock, random);
    for (;;) {
      try {
        await runnable.run({ signal, client, clock, log });
        return;
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (runnable.onError !== "restart") {
          onFailure(runnable, error);
          return;
        }
        const delayMs = backoff.next();
        log.error(`${runnable.name} failed; starts again in ${Math.round(delayMs)} ms`, error);
        await sleep(clock, delayMs, signal).catch(() => {});
        if (signal.aborted) {
          return;
        }
      }
    }
  }
}
