import { type Clock, type KubeError, monotonicNow } from "@typekube/core";
import type { CacheHealth } from "./informer-health.js";
import type { PictureProgress, RestartReason } from "./watcher/watcher-options.js";
import type { WatcherState } from "./watcher/watcher-state.js";

/** Notes what happens to a cache, for {@link CacheHealth}. */
export class InformerMonitor {
  lastError: KubeError | undefined;
  readonly #clock: Clock;
  readonly #restarts: Partial<Record<RestartReason, number>> = {};
  #state: WatcherState["name"] = "stopped";
  #since: number;
  #lastContact: number | undefined;
  /** The same moment on the clock that nobody sets. */
  #contactAt = 0;
  #stalledSince: number | undefined;
  #gaps = 0;
  #progress: PictureProgress | undefined;

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
    if (name !== "listing" && name !== "streaming") {
      this.#progress = undefined;
    }
  }

  heard(gaps: number): void {
    this.#gaps += gaps;
    // A gap is what the watcher itself says; anything else came from the server.
    if (gaps === 0) {
      this.#lastContact = this.#clock.now();
      this.#contactAt = monotonicNow(this.#clock);
      this.#stalledSince = undefined;
    }
  }

  progressed(progress: PictureProgress): void {
    this.#progress = progress;
  }

  restarted(reason: RestartReason): void {
    this.#restarts[reason] = (this.#restarts[reason] ?? 0) + 1;
  }

  health(cache: Pick<CacheHealth, "objects" | "staleEvents" | "synced">): CacheHealth {
    return {
      state: this.#state,
      since: this.#since,
      lastContact: this.#lastContact,
      lagMs:
        this.#lastContact === undefined
          ? undefined
          : Math.max(0, monotonicNow(this.#clock) - this.#contactAt),
      stalledSince: this.#stalledSince,
      lastError: this.lastError,
      gaps: this.#gaps,
      restarts: { ...this.#restarts },
      progress: this.#progress,
      ...cache,
    };
  }
}
