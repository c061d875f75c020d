import { spawnSync } from "node:child_process";

/** Result of the Go half: `ran` is false when Go is not installed, and `reason` is the text to print. */
export type Extraction = { readonly ran: true } | { readonly ran: false; readonly reason: string };

/** Runs the Go half, which writes its tables into `output`. Throws when it fails. */
export function extractFacts(goFolder: string, output: string): Extraction {
  if (spawnSync("go", ["version"]).status !== 0) {
    return {
      ran: false,
      reason:
        "Go is not installed: TypeScript is generated from the committed facts. " +
        "To refresh the facts, install Go 1.26 or later and run this again.",
    };
  }
  const run = spawnSync("go", ["run", ".", output], {
    cwd: goFolder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (run.status !== 0) {
    throw new Error(
      "the Go half failed (see above); it needs access to the Go module proxy. " +
        "With --skip-go TypeScript is generated from the committed facts.",
    );
  }
  return { ran: true };
}
