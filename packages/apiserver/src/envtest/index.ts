/**
 * A real kube-apiserver with its etcd, for tests.
 *
 * @module @typekube/apiserver/envtest
 */

export type { EnvironmentConnection, EnvironmentOptions, TestEnvironment } from "./environment.js";
export { startEnvironment } from "./environment.js";
