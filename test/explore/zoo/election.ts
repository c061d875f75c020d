/** An election with long terms: a run has few renewals then. */
export const leaderElection = {
  name: "shops",
  namespace: "default",
  leaseDurationMs: 60_000,
  renewDeadlineMs: 45_000,
  retryMs: 20_000,
};
