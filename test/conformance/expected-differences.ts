import { readFile } from "node:fs/promises";
import { load } from "js-yaml";

/** A case that fails on a server, known and with its reason. */
export interface ExpectedDifference {
  /** The case. */
  readonly id: string;
  readonly server: "embedded" | "real";
  /** Only by clients that speak this. Without it: whatever is spoken. */
  readonly encoding?: "cbor" | "protobuf" | "yaml" | undefined;
  readonly reason: string;
}

/** Reads the list beside this file. */
export async function expectedDifferences(): Promise<readonly ExpectedDifference[]> {
  const text = await readFile(new URL("expected-differences.yaml", import.meta.url), "utf8");
  return (load(text) as ExpectedDifference[] | null) ?? [];
}
