import type { CellInput } from "./cell.js";

/** What the process of a cell is told. */
export interface ProcessInput extends Omit<CellInput, "ca"> {
  /** Where the certificate of the server's CA is, when it speaks TLS. */
  readonly caFile?: string | undefined;
}

/** What of it goes by the environment. A program whose variant says `trusted` is told of no CA, but Node is. */
export function credentials({ caFile, token, variant }: ProcessInput): Record<string, string> {
  return {
    ...(caFile === undefined ? {} : { BENCH_CA: caFile }),
    ...(caFile === undefined || !variant.includes("trusted")
      ? {}
      : { NODE_EXTRA_CA_CERTS: caFile }),
    ...(token === undefined ? {} : { BENCH_TOKEN: token }),
  };
}
