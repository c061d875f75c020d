import type { LoopObserver } from "../loop/loop-observer.js";
import type { ShardsSettings } from "../shards/shards-options.js";
import type { WebhooksOptions } from "../webhook/webhooks-options.js";
import type { BoundController } from "./bound-controllers.js";
import type { LeaderElectionOptions } from "./manager-options.js";
import type { ObservabilitySettings } from "./observability.js";
import type { Runnable } from "./runnable.js";

/** The options of a manager, with defaults filled in. */
export interface ManagerSettings extends ObservabilitySettings {
  readonly controllers: readonly BoundController[];
  readonly election: LeaderElectionOptions | undefined;
  readonly sharding: ShardsSettings | undefined;
  readonly runnables: readonly Runnable[];
  readonly onError: ((error: Error) => void) | undefined;
  readonly queue: "classic" | "priority";
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly handlesSignals: boolean;
  /** Observes the runs of all controllers, beside `events()`. */
  readonly observers: readonly LoopObserver[];
  readonly webhooks: WebhooksOptions | undefined;
}
