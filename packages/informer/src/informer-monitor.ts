import type { KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import type { CacheHealth } from "./informer-health.js";
import { isOlderVersion } from "./store/is-older-version.js";
import type { FollowEvent } from "./watcher/follow-event.js";
import type { RestartReason, SnapshotProgress } from "./watcher/watcher-options.js";
import type { WatcherState } from "./watcher/watcher-state.js";

/** Notes what happens to a cache, for {@link CacheHealth}. */
export class InformerMonitor {
  lastError: KubeError | undefined;
  readonly #clock: Clock;
  readonly #restarts: Partial<Record<RestartReason, number>> = {};
  #state: WatcherState["name"] = "stopped";
  #since: number;
  #lastContact: number | undefined;
  /** Nothing that is shown is from before this, on the clock that nobody sets. */
  #shownFrom: number | undefined;
  /** When the picture began that is under way. */
  #pictureFrom: number | undefined;
  #isSnapshot = true;
  #stalledSince: number | undefined;
  #gaps = 0;
  #progress: SnapshotProgress | undefined;
  #bytesRead = 0;

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

  /** @param shown - the version that the cache shows before them: what is from before it makes the cache no newer, and heals nothing. */
  received(events: readonly FollowEvent[], shown: string): void {
    const time = this.#clock.now();
    const now = monotonicNow(this.#clock);
    for (const event of events) {
      const { type } = event;
      if (type === "gap") {
        // What the watcher itself says; anything else came from the server.
        this.#gaps++;
        this.#isSnapshot = true;
        this.#pictureFrom = undefined;
        this.#stalledSince ??= time;
        continue;
      }
      this.#lastContact = time;
      if (this.#isSnapshot) {
        // It shows how things were when it began, and nobody sees it before it is whole.
        this.#pictureFrom ??= now;
      }
      if (type === "synced" || (!this.#isSnapshot && !isOlderVersion(versionOf(event), shown))) {
        this.#shownFrom = this.#pictureFrom ?? now;
        this.#pictureFrom = undefined;
        this.#isSnapshot = false;
        this.#stalledSince = undefined;
      }
    }
  }

  progressed(progress: SnapshotProgress): void {
    this.#progress = progress;
  }

  read(bytes: number): void {
    this.#bytesRead += bytes;
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
        this.#shownFrom === undefined
          ? undefined
          : Math.max(0, monotonicNow(this.#clock) - this.#shownFrom),
      stalledSince: this.#stalledSince,
      lastError: this.lastError,
      gaps: this.#gaps,
      restarts: { ...this.#restarts },
      bytesRead: this.#bytesRead,
      progress: this.#progress,
      ...cache,
    };
  }
}

function versionOf(event: Exclude<FollowEvent, { readonly type: "gap" }>): string {
  return "object" in event ? event.object.metadata.resourceVersion : event.resourceVersion;
}
