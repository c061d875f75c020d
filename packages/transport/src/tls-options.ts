import type { Secret } from "./secret.js";

/** PEM text, or its bytes. */
export type Pem = string | Uint8Array;

/** How the server is verified and how the client shows who it is. */
export interface TlsOptions {
  /** Authorities that may have signed the server's certificate. Default: those of Node. */
  readonly ca?: Pem | undefined;
  /** Client certificate; needs `key`. */
  readonly cert?: Pem | undefined;
  readonly key?: Pem | Secret | undefined;
  /** The name that the server's certificate must be for. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  /** Accepts any certificate: only for trying things out. */
  readonly insecureSkipVerify?: boolean | undefined;
}
