import type { KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import type { FollowEvent } from "../events/follow-event.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import type { RestartReason, SnapshotProgress } from "../watcher/watcher-options.js";
import type { WatcherState } from "../watcher/watcher-state.js";
import type { CacheHealth } from "./informer-health.js";

/** Records what happens to a cache, for {@link CacheHealth}. */
export class InformerMonitor {
  lastError: KubeError | undefined;
  readonly #clock: Clock;
  readonly #restarts: Partial<Record<RestartReason, number>> = {};
  #state: WatcherState["name"] = "stopped";
  #since: number;
  #lastContact: number | undefined;
  /** Time that nothing in the cache is older than, on the monotonic clock. */
  #shownFrom: number | undefined;
  /** Start of the snapshot in progress, on the monotonic clock. */
  #snapshotFrom: number | undefined;
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

  /**
   * @param shown - resourceVersion of the cache before these events: older events neither make it more recent nor end
   * an outage.
   */
  received(events: readonly FollowEvent[], shown: string): void {
    const time = this.#clock.now();
    const now = monotonicNow(this.#clock);
    // By index, as in all loops over events: until V8 has compiled a loop, an iterator makes an object for each of them.
    for (let at = 0; at < events.length; at++) {
      const event = events[at] as FollowEvent;
      const { type } = event;
      if (type === "gap") {
        // The watcher itself emits gaps; all other events come from the server.
        this.#gaps++;
        this.#isSnapshot = true;
        this.#snapshotFrom = undefined;
        this.#stalledSince ??= time;
        continue;
      }
      this.#lastContact = time;
      if (this.#isSnapshot) {
        // A snapshot shows the state at its start, and nobody sees it before it is complete.
        this.#snapshotFrom ??= now;
      }
      if (type === "synced" || (!this.#isSnapshot && !isOlderVersion(versionOf(event), shown))) {
        this.#shownFrom = this.#snapshotFrom ?? now;
        this.#snapshotFrom = undefined;
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

  health(
    cache: Pick<CacheHealth, "fields" | "informers" | "objects" | "staleEvents" | "synced">,
  ): CacheHealth {
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
