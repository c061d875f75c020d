import type { ConnectionConfig } from "./connection-options.js";

/**
 * Returns the same connection without credentials: no token, client certificate, exec plugin or impersonation. The CA
 * stays.
 */
export function anonymous(config: ConnectionConfig): ConnectionConfig {
  const { auth: _auth, impersonate: _impersonate, tls, tlsFiles, ...rest } = config;
  const { cert: _cert, key: _key, ...server } = tls;
  return {
    ...rest,
    tls: server,
    ...(tlsFiles?.ca === undefined ? {} : { tlsFiles: { ca: tlsFiles.ca } }),
  };
}
