import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";

/** Records events about an election on its Lease. An event recorder has this method. */
export interface ElectionEvents {
  /** Records an event of type Normal: `LeaderElection`, "shop-0 became leader". */
  normal(lease: Live<Lease>, reason: string, note: string): void;
}

/** Counts what the metrics `leader_election_*` of client-go count. */
export interface ElectionMetrics {
  /** Called with `false` when an elector starts or stops leading, and with `true` when it begins to lead. */
  leading(name: string, isLeader: boolean): void;
  /** Called when a leader had to read its lease before it could renew it. */
  slowPath(name: string): void;
}
