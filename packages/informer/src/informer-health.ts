import type { KubeError } from "@typekube/core";
import type { WatcherState } from "./watcher/watcher-state.js";

/** How an informer is. */
export interface InformerHealth {
  /** What it is doing. */
  readonly state: WatcherState["name"];
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether it has had a whole picture at least once. */
  readonly synced: boolean;
  /** When the server was last heard, in milliseconds since the epoch. */
  readonly lastContact: number | undefined;
  /** Since when it cannot follow, in milliseconds since the epoch; absent while it does. */
  readonly stalledSince: number | undefined;
  readonly lastError: KubeError | undefined;
  /** How often continuity was lost. */
  readonly gaps: number;
  readonly objects: number;
}
