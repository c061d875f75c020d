import type { WireWatchEvent } from "@typekube/core/internal";
import { failure } from "../../../errors/status-errors.js";
import type { OpenWatch, WatchHub } from "../../../store/watch-hub.js";
import type { FaultSchedule } from "./fault-schedule.js";
import type { RunLog } from "./run-log.js";

/** Events of a resource that wait. */
interface Lag {
  /** Calls of the operator after which they flow again; `undefined`: when nothing else happens. */
  calls: number | undefined;
  /** True while the wait also goes through the next user step. */
  isLong: boolean;
  /** True when the watches then expire, so that the events are never seen. */
  readonly isMissed: boolean;
  /** Calls, and timers at once, that are left before the events flow again. */
  left: number;
}

/**
 * Calls of the operator, and timers that fire at once, after which waiting events flow again: it may be waiting for them
 * itself, and then nothing else would end.
 */
const longestWait = 100;

/** Parts of an {@link EventGate}. */
export interface EventGateParts {
  readonly watches: WatchHub;
  readonly schedule: FaultSchedule;
  readonly log: RunLog;
  /** Returns whether a user is a process of the operator. */
  readonly isOperator: (user: string | undefined) => boolean;
  /** Returns whether a process can read now. */
  readonly isReading: (process: string) => boolean;
}

const expired = failure(410, "Expired", "too old resource version").status;

/** Passes watch events to the operator one by one, as the faults of a run say. Within a watch the order is kept. */
export class EventGate {
  readonly #parts: EventGateParts;
  readonly #open = new Set<OpenWatch>();
  readonly #lags = new Map<string, Lag>();
  #hasSteps = true;
  /** Events that the operator got so far, by resource. */
  readonly counts: Map<string, number> = new Map();

  constructor(parts: EventGateParts) {
    this.#parts = parts;
    parts.watches.onOpen((watch) => {
      if (parts.isOperator(watch.user)) {
        watch.queue.hold();
        this.#open.add(watch);
      }
    });
  }

  /** Passes on the events that may be read now. */
  pump(): void {
    for (const watch of this.#open) {
      const { queue, resource, user = "" } = watch;
      if (queue.ended) {
        this.#open.delete(watch);
        continue;
      }
      while (
        queue.nextHeld !== undefined &&
        this.#parts.isReading(user) &&
        this.#passes(resource)
      ) {
        this.#deliver(watch, queue.nextHeld);
      }
    }
  }

  /** Returns whether the next event of a resource may be read now. */
  #passes(resource: string): boolean {
    if (this.#lags.has(resource)) {
      return false;
    }
    const { schedule, log } = this.#parts;
    const [fault] = schedule.atEvent(resource, (this.counts.get(resource) ?? 0) + 1, "lag", "miss");
    if (fault === undefined) {
      return true;
    }
    log.add({ type: "fault", fault });
    this.#lags.set(resource, {
      calls: fault.type === "lag" ? fault.calls : undefined,
      isLong: fault.long === true && this.#hasSteps,
      isMissed: fault.type === "miss",
      left: longestWait,
    });
    return false;
  }

  #deliver(watch: OpenWatch, event: WireWatchEvent): void {
    const { schedule, log } = this.#parts;
    const { resource, queue, user = "" } = watch;
    queue.release(1);
    if (event.type === "BOOKMARK") {
      return;
    }
    const count = (this.counts.get(resource) ?? 0) + 1;
    this.counts.set(resource, count);
    log.add({ type: "event", process: user, text: eventText(resource, event) });
    const [cut] = schedule.atEvent(resource, count, "cut");
    if (cut !== undefined) {
      log.add({ type: "fault", fault: cut });
      // The event itself still arrives.
      if (cut.how === "expire") {
        watch.fail(expired);
      } else {
        watch.end();
      }
    }
  }

  /** Counts a call of the operator. */
  called(): void {
    for (const [resource, lag] of this.#lags) {
      if (lag.calls !== undefined) {
        lag.calls -= 1;
        if (lag.calls < 0) {
          this.#lags.delete(resource);
        }
      }
    }
    this.looped();
  }

  /** Counts something that the operator does while no time passes. */
  looped(): void {
    for (const [resource, lag] of this.#lags) {
      lag.left -= 1;
      if (lag.left < 0) {
        this.#end(resource, lag);
        // Calls may follow each other within one turn of the event loop.
        this.pump();
      }
    }
  }

  /** Ends the waits that last until nothing else happens. Returns whether there were some. */
  rest(): boolean {
    let ended = false;
    for (const [resource, lag] of this.#lags) {
      if (!lag.isLong) {
        ended = true;
        this.#end(resource, lag);
      }
    }
    return ended;
  }

  /** True while events wait through the next user step. */
  get hasLong(): boolean {
    return [...this.#lags.values()].some(({ isLong }) => isLong);
  }

  #end(resource: string, { isMissed }: Lag): void {
    this.#lags.delete(resource);
    if (isMissed) {
      this.#expire(resource);
    }
  }

  /** From now on, no wait goes through a further user step. */
  stepped(): void {
    for (const lag of this.#lags.values()) {
      lag.isLong = false;
    }
  }

  /** From now on, no wait goes through a user step: there is no further one. */
  noMoreSteps(): void {
    this.#hasSteps = false;
    this.stepped();
  }

  #expire(resource: string): void {
    for (const watch of this.#open) {
      if (watch.resource === resource && !watch.queue.ended) {
        watch.fail(expired);
      }
    }
  }

  /** Ends the watches of a process that is gone. */
  drop(process: string): void {
    for (const watch of this.#open) {
      if (watch.user === process) {
        this.#open.delete(watch);
        watch.end();
      }
    }
  }
}

function eventText(resource: string, { type, object }: WireWatchEvent): string {
  const { metadata } = object as { readonly metadata?: { name?: string; namespace?: string } };
  const key = [metadata?.namespace, metadata?.name].filter((part) => part !== undefined);
  return `${type} ${resource} ${key.join("/")}`;
}
