// The parts of a test environment, for tests that stop, pause or corrupt its programs. Semver does not cover this entry point: it may change in any release.

export { type ApiServer, startApiServerProcess } from "./api-server-process.js";
export { type Etcd, startEtcd } from "./etcd.js";
export { freePorts } from "./free-ports.js";
export { writeKubeconfig } from "./kubeconfig.js";
export { ServerProcess } from "./server-process.js";
export { makeUsers, type UserName, type Users } from "./users.js";
export { waitUntil } from "./wait-until.js";
