import type { ShardKeeper } from "../shards/shard-keeper.js";
import type { RunningWebhooks } from "../webhook/running-webhooks.js";
import type { ControllerRunner } from "./controller-runner.js";
import type { Failures } from "./failures.js";
import type { LeaderCampaign } from "./leader-campaign.js";
import type { Observability } from "./observability.js";
import type { RunnableGroup } from "./runnable-group.js";

/** Parts of a manager at work, which it ends when it stops. */
export interface ManagerParts {
  /** Runners by the names of their controllers. */
  readonly runners: Map<string, ControllerRunner>;
  /** Runnables of every process, and those of the leader only. */
  readonly everywhere: RunnableGroup;
  readonly leading: RunnableGroup;
  readonly observability: Observability;
  readonly failures: Failures;
  /** These start one after the other; a manager that stops may not have them yet. */
  webhooks: RunningWebhooks | undefined;
  campaign: LeaderCampaign | undefined;
  keeper: ShardKeeper | undefined;
  /** `true` once everything has started. */
  isStarted: boolean;
}
