import type { OptionTable } from "@typekube/core/internal";
import type { Secret } from "../secrets/secret.js";

/** PEM as text or as bytes. */
export type Pem = string | Uint8Array;

/** TLS options: verification of the server, and the client's certificate. */
export interface TlsOptions {
  /** Certificate authorities that may have signed the server's certificate. Default: Node's authorities. */
  readonly ca?: Pem | undefined;
  /** Client certificate; requires `key`. */
  readonly cert?: Pem | undefined;
  /** Private key of the client certificate, as PEM. */
  readonly key?: Pem | Secret | undefined;
  /** Name that the server's certificate must be valid for. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  /** Accepts any server certificate; for experiments only. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** Names of {@link TlsOptions}. */
export const tlsOptions: OptionTable<TlsOptions> = {
  ca: true,
  cert: true,
  insecureSkipVerify: true,
  key: true,
  serverName: true,
};
