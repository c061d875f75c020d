// For libraries that build their own clients. Semver does not cover this entry point: it may change in any release.

export { loadTar } from "@typekube/client/internal";
export { Client } from "./client.js";
