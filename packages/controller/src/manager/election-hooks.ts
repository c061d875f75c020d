import type { ElectionEvents, ElectionMetrics } from "../election/election-hooks.js";

/** Receivers of news about elections. */
export interface ElectionHooks {
  /** Records events on the Lease. */
  readonly events?: ElectionEvents | undefined;
  readonly metrics?: ElectionMetrics | undefined;
}
