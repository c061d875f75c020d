// The parts that other packages use, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export type { ServiceAccountOptions } from "./service-account.js";
export { isInCluster, podNamespace, serviceAccountConfig } from "./service-account.js";
