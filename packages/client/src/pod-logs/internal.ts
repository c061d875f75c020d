// The parts that logs of many pods are made of. Loaded with the first log.

export { emitWarning } from "../request/warnings.js";
export { containerInstance } from "./container-instance.js";
export { isCutOff, isOfPodState } from "./log-failure.js";
export { assertLogOptions, logOptions } from "./log-options.js";
export { viewedLogs } from "./logs.js";
export { ResumeDelay } from "./resume-delay.js";
export { textOf } from "./text-of.js";
