import type { CellInput } from "./cell.js";

/** What the process of a cell is told. */
export interface ProcessInput extends Omit<CellInput, "ca"> {
  /** Where the certificate of the server's CA is, when it speaks TLS. */
  readonly caFile?: string | undefined;
}

/** What of it goes by the environment. */
export function credentials({ caFile, token }: ProcessInput): Record<string, string> {
  return {
    ...(caFile === undefined ? {} : { BENCH_CA: caFile }),
    ...(token === undefined ? {} : { BENCH_TOKEN: token }),
  };
}
