// Creating a transport

export type { Pem, TlsOptions } from "./tls-options.js";
export type { Transport } from "./transport.js";
export { createTransport } from "./transport.js";
export type { TransportOptions } from "./transport-options.js";
export { transportDefaults } from "./transport-options.js";

// Credentials and impersonation

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

// Warnings from the server

export type { Warning } from "./warnings.js";
export { parseWarnings, warnings } from "./warnings.js";
