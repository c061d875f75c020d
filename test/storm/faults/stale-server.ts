import type { HttpSend } from "@typekube/core/internal";
import { type EventFault, type Fault, isEventFault, type Weather } from "./fault.js";
import { type EventFaults, StaleEvents } from "./stale-events.js";
import { isWatch, resumes } from "./status-response.js";
import type { Tally } from "./tally.js";

/** What a stale server's faults are counted in. */
export interface StaleServerOptions {
  readonly struck: Tally;
  /** Gets `disorders`: events that came in another order than they happened. */
  readonly requests: Tally;
}

/** A server that tells the events of watches again or in the wrong order; a wrapper of an {@link HttpSend}. */
export class StaleServer {
  /** Told of the version from which a watch is asked for. */
  onWatch: (from: string) => void = () => {};
  readonly #options: StaleServerOptions;
  readonly #events: EventFaults = {
    next: () => this.#next(),
    onStrike: (fault) => this.#onStrike(fault),
    onUnused: (fault) => this.#onUnused(fault),
  };
  #faults: EventFault[] = [];
  /** Faults of events that are on their way. */
  #held = 0;

  constructor(options: StaleServerOptions) {
    this.#options = options;
  }

  /** Puts this server's faults in front of another one. */
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

  /** The same weather, with the faults of events here. */
  under(weather: Weather): Weather {
    const here = () => this.#faults.length + this.#held;
    return {
      add: (fault) => this.#add(fault, weather),
      get pending() {
        return weather.pending + here();
      },
      provoke: () => weather.provoke(),
      clear: () => {
        this.#faults = [];
        weather.clear();
      },
    };
  }

  #add(fault: Fault, weather: Weather): void {
    if (isEventFault(fault)) {
      this.#faults.push(fault as EventFault);
    } else {
      weather.add(fault);
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
