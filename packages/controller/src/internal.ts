// The parts that a controller is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { createDepthByPriority, type DepthByPriority } from "./queue/depth-by-priority.js";
