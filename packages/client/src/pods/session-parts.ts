// The parts that sessions of other packages are made of. Loaded with the first of them.

export { AwaitedPromise } from "../pod-sessions/awaited-promise.js";
export { withOutput } from "../pod-sessions/command-output.js";
export { defaultMaxOutputBytes, execOptions, wantsSession } from "../pod-sessions/exec-options.js";
export { outputFrom } from "./output-from.js";
