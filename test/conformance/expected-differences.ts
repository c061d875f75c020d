import { readFile } from "node:fs/promises";
import { load } from "js-yaml";

/** A case that is known to fail on a server, with the reason. */
export interface ExpectedDifference {
  /** ID of the case. */
  readonly id: string;
  readonly server: "embedded" | "real";
  /** Limits the difference to clients of this encoding. Default: all encodings. */
  readonly encoding?: "cbor" | "protobuf" | "yaml" | undefined;
  readonly reason: string;
}

/** Reads the list in the file beside this one. */
export async function expectedDifferences(): Promise<readonly ExpectedDifference[]> {
  const text = await readFile(new URL("expected-differences.yaml", import.meta.url), "utf8");
  return (load(text) as ExpectedDifference[] | null) ?? [];
}
