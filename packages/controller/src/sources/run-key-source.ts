import { type Clock, type Random, sleep } from "@typekube/core/internal";
import { Backoff, defaultBackoff } from "@typekube/informer/internal";
import type { KeySource } from "../definition/controller-options.js";
import { keyOf } from "../definition/object-key.js";
import type { Log } from "../log/log.js";
import type { TriggerTarget } from "./triggers.js";

/** Parts of {@link runKeySource}. */
export interface KeySourceParts {
  readonly target: Pick<TriggerTarget, "trigger">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Queues the keys of a source until it ends or the signal aborts. A source that throws is started again. */
export async function runKeySource(source: KeySource, parts: KeySourceParts): Promise<void> {
  const { target, clock, random, log, signal } = parts;
  const backoff = new Backoff(defaultBackoff, clock, random);
  while (!signal.aborted) {
    try {
      for await (const key of source({ signal, clock })) {
        if (signal.aborted) {
          return;
        }
        backoff.reset();
        target.trigger(keyOf(key), { type: "source" });
      }
      return;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const delayMs = backoff.next();
      log.warn(`a source failed; it starts again in ${Math.round(delayMs)} ms`, { error });
      await sleep(clock, delayMs, signal).catch(() => {});
    }
  }
}
