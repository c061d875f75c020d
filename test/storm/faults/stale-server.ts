import type { HttpSend } from "@typekube/core/internal";
import { type EventFault, type Fault, isEventFault, type Weather } from "./fault.js";
import { type EventFaults, StaleEvents } from "./stale-events.js";
import { isWatch, resumes } from "./status-response.js";
import type { Tally } from "./tally.js";

/** Tallies of a stale server. */
export interface StaleServerOptions {
  readonly struck: Tally;
  /** Counts `disorders`: events that were reordered. */
  readonly requests: Tally;
}

/** A server that repeats or reorders watch events, as a wrapper of an {@link HttpSend}. */
export class StaleServer {
  /** Called with the resourceVersion that a watch starts from. */
  onWatch: (from: string) => void = () => {};
  readonly #options: StaleServerOptions;
  readonly #events: EventFaults = {
    next: () => this.#next(),
    onStrike: (fault) => this.#onStrike(fault),
    onUnused: (fault) => this.#onUnused(fault),
  };
  #faults: EventFault[] = [];
  /** Number of faults whose events are held. */
  #held = 0;

  constructor(options: StaleServerOptions) {
    this.#options = options;
  }

  /** Wraps another server with this server's faults. */
  wrap(next: HttpSend): HttpSend {
    return async (request) => {
      if (resumes(request.path)) {
        this.onWatch(new URLSearchParams(request.path.split("?")[1]).get("resourceVersion") ?? "");
      }
      const response = await next(request);
      if (response.status !== 200 || !isWatch(request.path)) {
        return response;
      }
      const contentType = response.headers["content-type"] ?? "";
      const events = new StaleEvents(contentType, resumes(request.path), this.#events);
      return { ...response, body: received(response.body, events) };
    };
  }

  /** Returns the same faults, with event faults handled here. */
  under(conditions: Weather): Weather {
    const here = () => this.#faults.length + this.#held;
    return {
      add: (fault) => this.#add(fault, conditions),
      get pending() {
        return conditions.pending + here();
      },
      provoke: () => conditions.provoke(),
      clear: () => {
        this.#faults = [];
        conditions.clear();
      },
    };
  }

  #add(fault: Fault, conditions: Weather): void {
    if (isEventFault(fault)) {
      this.#faults.push(fault as EventFault);
    } else {
      conditions.add(fault);
    }
  }

  #next(): EventFault | undefined {
    const fault = this.#faults.shift();
    if (fault !== undefined) {
      this.#held++;
    }
    return fault;
  }

  #onStrike({ kind }: EventFault): void {
    this.#held--;
    this.#options.struck.add(kind);
    if (kind === "reordered-events") {
      this.#options.requests.add("disorders");
    }
  }

  #onUnused(fault: EventFault): void {
    this.#held--;
    this.#faults.push(fault);
  }
}

async function* received(
  body: AsyncIterable<Uint8Array>,
  events: StaleEvents,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of body) {
      const bytes = events.take(chunk);
      if (bytes.length > 0) {
        yield bytes;
      }
    }
    yield events.rest();
  } finally {
    events.end();
  }
}
