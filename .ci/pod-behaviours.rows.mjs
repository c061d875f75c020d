// The behaviours of calls into pods, by their IDs. `pod-behaviours.mjs` finds the tests that carry them.

/** Title, letters and highest number of each part. */
export const parts = [
  ["Handshake and connection", "XT", 24],
  ["Commands", "XE", 24],
  ["Attach", "XA", 6],
  ["Port-forward", "XP", 17],
  ["Logs", "XL", 15],
  ["Copies", "XC", 15],
  ["Proxy", "XX", 6],
];

/** Behaviours that are not built yet, by ID. */
export const open = new Map([]);
