/** Seed of the storms of a test run: `TYPEKUBE_STORM_SEED`, otherwise 1. */
export const seedOfRun: number = Number(process.env["TYPEKUBE_STORM_SEED"] ?? 1);
