// The parts that a transport is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { authenticate } from "./auth/authenticate.js";
export { type BorrowedTransport, borrowTransport } from "./borrowed-transport.js";
export type { ErrorFromResponseOptions } from "./errors/error-from-response.js";
export { ensureOk, errorFromResponse } from "./errors/error-from-response.js";
export type { ObserveOptions } from "./observe/observe.js";
export { observe } from "./observe/observe.js";
export { type RefreshOutcome, refreshPublisher } from "./observe/publish-refresh.js";
export { serverUrl } from "./options/server-address.js";
export { defaultUserAgent } from "./options/user-agent.js";
export type { ResponseMarks } from "./response/response-marks.js";
export { responseMarks } from "./response/response-marks.js";
export { parseRetryAfter } from "./response/retry-after.js";
export type { RateLimiter, RateLimitOptions } from "./retry/rate-limit.js";
export { rateLimitDefaults, tokenBucket } from "./retry/rate-limit.js";
export { retry } from "./retry/retry.js";
export type { RetryOptions } from "./retry/retry-options.js";
export {
  type ConfigFileOptions,
  fileProblemOf,
  isPlausiblePath,
  readConfigFile,
  shownPath,
} from "./secrets/config-file.js";
export {
  type Certificate,
  type CertificateRequest,
  type CertificateSubject,
  certificateIds,
  makeCertificate,
} from "./tls/certificate.js";
export {
  defaultMaxMessageBytes,
  defaultMaxUnreadBytes,
  WebSocketConnection,
  type WebSocketEnd,
  type WebSocketSettings,
} from "./websocket/connection.js";
export { lingerAfterEnd } from "./websocket/end-of-socket.js";
export { type KeepAlive, keepAlive } from "./websocket/keep-alive.js";
export { openWebSocket, type WebSocketRequest } from "./websocket/open-websocket.js";
