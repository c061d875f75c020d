import type { CellInput } from "./cell.js";

/** Input of a cell's process. */
export interface ProcessInput extends Omit<CellInput, "ca"> {
  /** Path of the CA certificate, when the server uses TLS. */
  readonly caFile?: string | undefined;
  /** For a webhook or a port-forward: what uses it. */
  readonly load?: Load | undefined;
}

/** A process that sends reviews to a webhook, or connects to a forwarded port. */
export interface Load {
  /** Program and arguments; the URL of the webhook or port and the variant follow. */
  readonly command: readonly string[];
  /** Folder with the certificate of the webhook: `tls.crt`, `tls.key` and `ca.crt`. */
  readonly certificates?: string | undefined;
}

/**
 * Returns the part of the input that is passed in the environment, with the time of the process's start. For a `trusted`
 * variant, Node itself also trusts the CA.
 */
export function inputEnvironment({
  caFile,
  token,
  variant,
  folder,
  load,
}: ProcessInput): Record<string, string> {
  return {
    BENCH_STARTED_AT: String(Date.now()),
    ...(caFile === undefined ? {} : { BENCH_CA: caFile }),
    ...(caFile === undefined || !variant.includes("trusted")
      ? {}
      : { NODE_EXTRA_CA_CERTS: caFile }),
    ...(token === undefined ? {} : { BENCH_TOKEN: token }),
    ...(folder === undefined ? {} : { BENCH_FOLDER: folder }),
    ...(load === undefined ? {} : { BENCH_LOAD: JSON.stringify(load.command) }),
    ...(load?.certificates === undefined ? {} : { BENCH_CERTIFICATES: load.certificates }),
  };
}
