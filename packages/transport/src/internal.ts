// The parts that a transport is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { authenticate } from "./authenticate.js";
export { type BorrowedTransport, borrowTransport } from "./borrowed-transport.js";
export {
  type ConfigFileOptions,
  fileProblemOf,
  isPlausiblePath,
  readConfigFile,
  shownPath,
} from "./config-file.js";
export type { ErrorFromResponseOptions } from "./error-from-response.js";
export { ensureOk, errorFromResponse } from "./error-from-response.js";
export type { ObserveOptions } from "./observe.js";
export { observe } from "./observe.js";
export { type RefreshOutcome, refreshPublisher } from "./publish-refresh.js";
export type { RateLimiter, RateLimitOptions } from "./rate-limit.js";
export { rateLimitDefaults, tokenBucket } from "./rate-limit.js";
export type { ResponseMarks } from "./response-marks.js";
export { responseMarks } from "./response-marks.js";
export { retry } from "./retry.js";
export { parseRetryAfter } from "./retry-after.js";
export type { RetryOptions } from "./retry-options.js";
export { serverUrl } from "./server-address.js";
export { defaultUserAgent } from "./user-agent.js";
