import type { CellInput } from "./cell.js";

/** Input of a cell's process. */
export interface ProcessInput extends Omit<CellInput, "ca"> {
  /** Path of the CA certificate, when the server uses TLS. */
  readonly caFile?: string | undefined;
  /** For a webhook: what sends it reviews. */
  readonly load?: Load | undefined;
}

/** A process that sends reviews to a webhook. */
export interface Load {
  /** Program and arguments; the webhook's URL and the variant follow. */
  readonly command: readonly string[];
  /** Folder with the certificate of the webhook: `tls.crt`, `tls.key` and `ca.crt`. */
  readonly certificates: string;
}

/**
 * Returns the part of the input that is passed in the environment, with the time of the process's start. For a `trusted`
 * variant, Node itself also trusts the CA.
 */
export function inputEnvironment({
  caFile,
  token,
  variant,
  load,
}: ProcessInput): Record<string, string> {
  return {
    BENCH_STARTED_AT: String(Date.now()),
    ...(caFile === undefined ? {} : { BENCH_CA: caFile }),
    ...(caFile === undefined || !variant.includes("trusted")
      ? {}
      : { NODE_EXTRA_CA_CERTS: caFile }),
    ...(token === undefined ? {} : { BENCH_TOKEN: token }),
    ...(load === undefined
      ? {}
      : {
          BENCH_LOAD: JSON.stringify(load.command),
          BENCH_CERTIFICATES: load.certificates,
        }),
  };
}
