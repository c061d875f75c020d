import type { KubeObject, Live } from "@typekube/api";
import { isConflict, KubeError } from "@typekube/core";
import { kindId } from "../definition/any-kind.js";
import { isTerminal } from "../definition/terminal.js";
import type { Log } from "../log/log.js";
import type { WorkQueue } from "../queue/work-queue.js";
import type { RunContext } from "../run/context/run-context.js";
import type { LoopObserver, ObservedRun } from "./loop-observer.js";
import type { RunEnd } from "./run-end.js";

/** Parts of {@link AfterRun}. */
export interface AfterRunParts {
  readonly context: RunContext;
  readonly queue: WorkQueue;
  readonly observer: LoopObserver;
  readonly log: Log;
}

/** Decides what follows from the end of a run: nothing, a later run, a retry, or no more attempts. */
export class AfterRun {
  readonly #parts: AfterRunParts;
  readonly #errors = new Map<string, Error>();
  readonly #givenUp = new Set<string>();

  constructor(parts: AfterRunParts) {
    this.#parts = parts;
  }

  /** Returns the error of a key's last run; `undefined` when it ended well. */
  errorOf(key: string): Error | undefined {
    return this.#errors.get(key);
  }

  /** Forgets a key whose object is gone. */
  forget(key: string): void {
    this.#errors.delete(key);
    this.#givenUp.delete(key);
    this.#parts.queue.forget(key);
  }

  ended(run: ObservedRun, end: RunEnd): void {
    const { queue } = this.#parts;
    const { key } = run;
    if (end.result === "error") {
      this.#failed(run, end);
      return;
    }
    if (this.#errors.size > 0) {
      this.#errors.delete(key);
      this.#givenUp.delete(key);
    }
    if (end.result === "requeue") {
      queue.retry(key);
      return;
    }
    queue.forget(key);
    if (end.result === "requeue_after") {
      const { requeueAfterMs: afterMs = 0, priority = run.priority } = end;
      queue.add(key, { afterMs, priority });
    }
  }

  #failed(run: ObservedRun, end: RunEnd): void {
    const error = end.error as Error;
    const { context, queue, log } = this.#parts;
    const { key, attempt } = run;
    const { retry } = context.controller.settings;
    this.#errors.set(key, error);
    if (isTerminal(error)) {
      // A later failure that is not terminal begins with the first delay again.
      queue.forget(key);
      log.error(`${key}: terminal error, not tried again until it changes`, error);
      this.#warn(key, end);
    } else if (attempt >= retry.maxAttempts) {
      this.#giveUp(run, end);
    } else {
      const { retryAfterMs = 0 } = error instanceof KubeError ? error : {};
      const notBeforeMs = Number.isFinite(retryAfterMs) ? Math.max(0, retryAfterMs) : 0;
      queue.retry(key, { notBeforeMs });
      if (isConflict(error)) {
        log.debug(`${key}: somebody else was faster`, { error });
      } else {
        log.error(`${key}: attempt ${attempt} failed`, error);
        this.#warn(key, end);
      }
    }
  }

  /** Leaves a key until something changes; that run is the last attempt again. */
  #giveUp(run: ObservedRun, end: RunEnd): void {
    const error = end.error as Error;
    const { context, observer, log } = this.#parts;
    const { key, attempt } = run;
    const isNew = !this.#givenUp.has(key);
    this.#givenUp.add(key);
    log.error(`${key}: not tried again after ${attempt} attempts, until it changes`, error);
    this.#warn(key, end);
    if (isNew) {
      observer.gaveUp?.(run, error);
      try {
        context.controller.settings.onGiveUp?.(this.#objectOf(key), error);
      } catch (thrown) {
        log.error(`${key}: onGiveUp threw`, thrown);
      }
    }
  }

  #warn(key: string, end: RunEnd): void {
    const error = end.error as Error;
    const { controller, events } = this.#parts.context;
    const object = controller.settings.failureEvents ? this.#objectOf(key) : undefined;
    if (object !== undefined) {
      const note = error instanceof KubeError ? error.rawMessage : error.message;
      events.warning(object, "ReconcileFailed", note, {
        action: end.finalizer === undefined ? "Reconciling" : "Finalizing",
        separateNotes: true,
      });
    }
  }

  #objectOf(key: string): Live<KubeObject> | undefined {
    const { caches, controller } = this.#parts.context;
    return caches.get(kindId(controller.kind.kind))?.get(key);
  }
}
