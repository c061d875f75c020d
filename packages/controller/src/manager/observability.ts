import {
  type ClosableEventRecorder,
  createEventRecorder,
} from "../events/create-event-recorder.js";
import type { EventRecorder } from "../events/event-recorder.js";
import { silentEvents } from "../events/silent-events.js";
import type { BoundController } from "./bound-controllers.js";
import type { ManagerSettings } from "./running-manager.js";

/** What the world outside of a manager sees of it: events, metrics, health. */
export class Observability {
  readonly #settings: ManagerSettings;
  readonly #recorders: ClosableEventRecorder[] = [];

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
  }

  /** Returns the recorder of a controller. */
  eventsOf({ controller, client }: BoundController): EventRecorder {
    const { eventStyle, clock, random, sink } = this.#settings;
    if (eventStyle === "off") {
      return silentEvents;
    }
    const recorder = createEventRecorder({
      client,
      controller: controller.name,
      style: eventStyle,
      log: sink,
      clock,
      random,
    });
    this.#recorders.push(recorder);
    return recorder;
  }

  /** Writes pending events. @param flushMs - time for it; 0 drops them. */
  async close(flushMs?: number): Promise<void> {
    const options = flushMs === undefined ? {} : { timeoutMs: flushMs };
    await Promise.all(this.#recorders.map((recorder) => recorder.close(options)));
  }
}
