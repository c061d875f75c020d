import type { KubeError } from "@typekube/core";
import type { Clock, Random } from "@typekube/core/internal";
import type { ElectionEvents, ElectionMetrics } from "./election-hooks.js";
import type { ElectionTimings, ElectorOptions } from "./elector-options.js";
import type { ElectorState } from "./elector-state.js";

/** Options of an elector with all defaults filled in. */
export interface ElectorSettings extends ElectionTimings {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly releaseOnStop: boolean;
  readonly isCoordinated: boolean;
  readonly trustRenewTime: ElectorOptions["trustRenewTime"];
  readonly labels: ElectorOptions["labels"];
  readonly onLeader: (identity: string) => void;
  readonly onState: (state: ElectorState) => void;
  readonly onError: (error: KubeError) => void;
  readonly events: ElectionEvents | undefined;
  readonly metrics: ElectionMetrics | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** Shortest timeout of a request, in milliseconds. (controller-runtime `manager.go`) */
const minTimeoutMs = 1_000;

/** Returns the milliseconds for each request of an election: two fit into the renew deadline. */
export function requestTimeoutMs({
  renewDeadlineMs,
}: Pick<ElectionTimings, "renewDeadlineMs">): number {
  return Math.max(renewDeadlineMs / 2, minTimeoutMs);
}
