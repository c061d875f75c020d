// Entry point "@typekube/core/internal/go-time": durations and times as Go's "time" package reads them.

export { type GoDuration, readGoDuration } from "./go-duration.js";
export { type TimeParts, timeParts } from "./time-parts.js";
export { timeProblem } from "./time-problem.js";
