import type { CellInput } from "./cell.js";

/** Input of a cell's process. */
export interface ProcessInput extends Omit<CellInput, "ca"> {
  /** Path of the CA certificate, when the server uses TLS. */
  readonly caFile?: string | undefined;
}

/**
 * Returns the part of the input that is passed in the environment. For a `trusted` variant, Node itself also trusts the
 * CA.
 */
export function credentials({ caFile, token, variant }: ProcessInput): Record<string, string> {
  return {
    ...(caFile === undefined ? {} : { BENCH_CA: caFile }),
    ...(caFile === undefined || !variant.includes("trusted")
      ? {}
      : { NODE_EXTRA_CA_CERTS: caFile }),
    ...(token === undefined ? {} : { BENCH_TOKEN: token }),
  };
}
