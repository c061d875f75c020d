import type { Clock, Random } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import { CallMemory } from "../time/call-memory.js";
import type { ServerContext } from "./server-context.js";

/** A review as it was sent to a webhook, and what came back. */
export interface ReviewExchange {
  /** `request.uid` of the review. */
  readonly uid: string;
  readonly reply: unknown;
  readonly patch: ReturnedPatch;
}

/** The patch in a reply: its operations, or why it can't be decoded. */
export type ReturnedPatch =
  | { readonly operations: readonly JsonObject[] }
  | { readonly problem: string };

/**
 * State that all attempts of one write share. A write that waits for a webhook is run again from its beginning; it must build
 * the same object then, since another one would be a question that the webhook has not answered.
 */
export interface Attempts {
  /** The server as every attempt sees it: at the time of the first one, and with the same random numbers. */
  readonly server: ServerContext;
  /** Reviews of webhooks so far. */
  readonly reviews: CallMemory<ReviewExchange>;
  /** Prepares the next attempt. */
  restart(): void;
}

/** Begins the first attempt of a write. */
export function beginAttempts(server: ServerContext): Attempts {
  const { random, restart } = repeatable(server.random);
  return {
    server: { ...server, random, clock: stoppedClock(server.clock) },
    reviews: new CallMemory(),
    restart,
  };
}

/** Returns a source of random numbers that yields the same ones again after each restart. */
function repeatable(source: Random): { readonly random: Random; readonly restart: () => void } {
  const drawn: number[] = [];
  let next = 0;
  return {
    random() {
      if (next === drawn.length) {
        drawn.push(source());
      }
      return drawn[next++] ?? source();
    },
    restart() {
      next = 0;
    },
  };
}

/** Returns a clock that stays at the current time. Its timers are those of the given clock. */
function stoppedClock(clock: Clock): Clock {
  const now = clock.now();
  return {
    now: () => now,
    schedule: (delayMs, callback, isBackground) => clock.schedule(delayMs, callback, isBackground),
  };
}
