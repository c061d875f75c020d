import type { Clock, KubeError } from "@typekube/core";
import type { InformerHealth } from "./informer-health.js";
import type { WatcherState } from "./watcher/watcher-state.js";

/** Notes what happens to an informer, for {@link InformerHealth}. */
export class InformerMonitor {
  lastError: KubeError | undefined;
  readonly #clock: Clock;
  #state: WatcherState["name"] = "stopped";
  #since: number;
  #lastContact: number | undefined;
  #stalledSince: number | undefined;
  #gaps = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  entered({ name }: WatcherState): void {
    this.#state = name;
    this.#since = this.#clock.now();
    if (name === "waiting") {
      this.#stalledSince ??= this.#since;
    }
  }

  heard(gaps: number): void {
    this.#gaps += gaps;
    // A gap is what the watcher itself says; anything else came from the server.
    if (gaps === 0) {
      this.#lastContact = this.#clock.now();
      this.#stalledSince = undefined;
    }
  }

  health(synced: boolean, objects: number): InformerHealth {
    return {
      state: this.#state,
      since: this.#since,
      synced,
      lastContact: this.#lastContact,
      stalledSince: this.#stalledSince,
      lastError: this.lastError,
      gaps: this.#gaps,
      objects,
    };
  }
}
