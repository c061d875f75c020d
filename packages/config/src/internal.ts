// The parts that other packages use, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { connectionOptions } from "./connection/connection-options.js";
export type { ServiceAccountOptions } from "./connection/service-account.js";
export { isInCluster, podNamespace, serviceAccountConfig } from "./connection/service-account.js";
