import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OracleAnswer, OracleCase } from "./oracle-types.js";

/** Milliseconds for one batch; Kubernetes computes long with numbers such as 1e1000000000. */
const timeoutMs = 120_000;

/** Kubernetes' own evaluation of CEL, as a program in Go. */
export interface Oracle extends Disposable {
  /** Evaluates cases in one run of the program; one answer for each case, in their order. */
  ask(cases: readonly OracleCase[]): Promise<readonly OracleAnswer[]>;
}

/**
 * Builds the oracle. The first build compiles Kubernetes' packages, which takes minutes; Go keeps what it compiled.
 *
 * @returns `undefined`, with a message on the console, where Go is missing or the build fails.
 */
export function buildOracle(): Oracle | undefined {
  const folder = mkdtempSync(join(tmpdir(), "typekube-cel-oracle-"));
  const program = join(folder, "cel-oracle");
  const { status, stderr, error } = spawnSync("go", ["build", "-o", program, "."], {
    cwd: fileURLToPath(new URL("go/", import.meta.url)),
    encoding: "utf8",
  });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    const why = error?.message ?? stderr.trim();
    console.warn(
      `SKIPPED: CEL against Kubernetes' own packages; the program was not built: ${why}`,
    );
    return undefined;
  }
  return {
    ask: (cases) => ask(program, cases),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function ask(
  program: string,
  cases: readonly OracleCase[],
): Promise<readonly OracleAnswer[]> {
  const child = spawn(program, [], {
    stdio: ["pipe", "pipe", "inherit"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const [code] = await once(child, "close");
  const lines = Buffer.concat(chunks).toString().split("\n").slice(0, -1);
  if (code !== 0 || lines.length !== cases.length) {
    throw new Error(`the oracle ended with ${code} after ${lines.length} of ${cases.length} cases`);
  }
  return lines.map((line) => JSON.parse(line));
}
