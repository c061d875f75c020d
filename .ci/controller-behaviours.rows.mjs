// The behaviours of controllers, by their IDs. `controller-behaviours.mjs` finds the tests that carry them.

/** Title, letters and highest number of each part. */
export const parts = [
  ["Work queue", "CQ", 31],
  ["Work queue, as client-go's", "U", 9],
  ["Reconcile loop", "CR", 36],
  ["Watches, owners, filters", "CW", 22],
  ["Dependent objects", "CD", 10],
  ["Leader election", "CL", 25],
  ["Leader election, as client-go's", "L", 16],
  ["Events", "CE", 14],
  ["Finalizers", "CF", 12],
  ["Status and conditions", "CS", 8],
  ["Admission webhooks", "CA", 32],
  ["Conversion webhooks", "CC", 10],
  ["Manager", "CM", 26],
  ["Sharding", "CH", 12],
  ["Testing", "CT", 12],
];

/** Behaviours that are not built yet, by ID. */
export const open = new Map([]);
