import type { HttpSend } from "@typekube/core";
import { type EventFault, type Fault, isEventFault, type Weather } from "./fault.js";
import { StaleEvents } from "./stale-events.js";
import { isWatch, resumes } from "./status-answer.js";
import type { Tally } from "./tally.js";

/** What a stale server's faults are counted in. */
export interface StaleServerOptions {
  readonly struck: Tally;
  /** Gets `disorders`: events that came in another order than they happened. */
  readonly requests: Tally;
}

/** A server that tells the events of watches again or in the wrong order; a wrapper of an {@link HttpSend}. */
export class StaleServer {
  readonly #options: StaleServerOptions;
  #faults: EventFault[] = [];

  constructor(options: StaleServerOptions) {
    this.#options = options;
  }

  /** Puts this server's faults in front of another one. */
  wrap(next: HttpSend): HttpSend {
    return async (request) => {
      const response = await next(request);
      if (response.status !== 200 || !isWatch(request.path)) {
        return response;
      }
      const contentType = response.headers["content-type"] ?? "";
      const events = new StaleEvents(contentType, resumes(request.path), () => this.#strike());
      return { ...response, body: told(response.body, events) };
    };
  }

  /** The same weather, with the faults of events here. */
  under(weather: Weather): Weather {
    const faults = () => this.#faults;
    return {
      add: (fault) => this.#add(fault, weather),
      get pending() {
        return weather.pending + faults().length;
      },
      provoke: () => weather.provoke(),
      refuse: (requests, why) => weather.refuse(requests, why),
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

  #strike(): EventFault["kind"] | undefined {
    const kind = this.#faults.shift()?.kind;
    if (kind !== undefined) {
      this.#options.struck.add(kind);
    }
    if (kind === "reordered-events") {
      this.#options.requests.add("disorders");
    }
    return kind;
  }
}

async function* told(
  body: AsyncIterable<Uint8Array>,
  events: StaleEvents,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    const bytes = events.take(chunk);
    if (bytes.length > 0) {
      yield bytes;
    }
  }
  yield events.rest();
}
