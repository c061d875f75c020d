// Creating a transport

export type { TransportOptions } from "./options/transport-options.js";
export { transportDefaults } from "./options/transport-options.js";
export type { Pem, TlsOptions } from "./tls/tls-options.js";
export type { Transport } from "./transport.js";
export { createTransport } from "./transport.js";

// Credentials and impersonation

export type {
  ClientCertificate,
  Credentials,
  CredentialsCall,
  RefusedCredentials,
} from "./auth/credentials.js";
export { basicAuth, bearerToken, concealed } from "./auth/credentials.js";
export type { Impersonation } from "./auth/impersonate.js";
export { impersonate, impersonationHeaders } from "./auth/impersonate.js";
export type { TokenFileOptions } from "./auth/token-file.js";
export { tokenFile } from "./auth/token-file.js";
export { reveal, Secret } from "./secrets/secret.js";
export type { TlsFiles } from "./tls/tls-files.js";

// Warnings from the server

export type { Warning } from "./response/warnings.js";
export { parseWarnings, warnings } from "./response/warnings.js";
