// For everybody: a transport

export type { Pem, TlsOptions } from "./tls-options.js";
export type { Transport } from "./transport.js";
export { createTransport } from "./transport.js";
export type { TransportOptions } from "./transport-options.js";
export { transportDefaults } from "./transport-options.js";

// Who the client is

export type {
  ClientCertificate,
  Credentials,
  CredentialsCall,
  RefusedCredentials,
} from "./credentials.js";
export { basicAuth, bearerToken, concealed } from "./credentials.js";
export type { Impersonation } from "./impersonate.js";
export { impersonate, impersonationHeaders } from "./impersonate.js";
export { reveal, Secret } from "./secret.js";
export type { TlsFiles } from "./tls-files.js";
export type { TokenFileOptions } from "./token-file.js";
export { tokenFile } from "./token-file.js";

// What the server wants people to know

export type { Warning } from "./warnings.js";
export { parseWarnings, warnings } from "./warnings.js";

// For libraries: parts that other layers put together anew

export type { AnswerMarks } from "./answer-marks.js";
export { answerMarks } from "./answer-marks.js";
export { authenticate } from "./authenticate.js";
export {
  type ConfigFileOptions,
  fileProblemOf,
  isPlausiblePath,
  readConfigFile,
  shownPath,
} from "./config-file.js";
export { type Door, door } from "./door.js";
export type { ErrorFromResponseOptions } from "./error-from-response.js";
export { ensureOk, errorFromResponse } from "./error-from-response.js";
export type { ObserveOptions } from "./observe.js";
export { observe } from "./observe.js";
export type { RateLimiter, RateLimitOptions } from "./rate-limit.js";
export { rateLimitDefaults, tokenBucket } from "./rate-limit.js";
export { retry } from "./retry.js";
export { parseRetryAfter } from "./retry-after.js";
export type { RetryOptions } from "./retry-options.js";
export { serverUrl } from "./server-address.js";
export { type RefreshOutcome, refreshTeller } from "./tell-refresh.js";
export { defaultUserAgent } from "./user-agent.js";
