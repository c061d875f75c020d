import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothClusters } from "./both-clusters.js";
import { normalised } from "./kubectl/normalised.js";
import { type Ended, runProgram } from "./run-program.js";
import type { ServedCluster } from "./serve.js";

const folder = fileURLToPath(new URL("kubectl/", import.meta.url));
const story = (await readFile(join(folder, "story.sh"), "utf8"))
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
/** Programs that are missing; the lines of the story are bash commands. */
const missing = [
  ["kubectl", "version", "--client"],
  ["bash", "--version"],
].filter(([program = "", ...args]) => spawnSync(program, args).status !== 0);
const isThere = missing.length === 0;
if (!isThere) {
  console.warn(`SKIPPED: kubectl against the servers; missing: ${missing.map(([name]) => name)}`);
}
/** Milliseconds for one command; some wait for a second or two. */
const timeoutMs = 90_000;

let clusters: readonly ServedCluster[] = [];
let home: string;
/** Outputs by server, in the order of the story. */
const outputs = new Map<string, readonly Ended[]>();

async function tell({ kubeconfig }: ServedCluster): Promise<Ended[]> {
  const ended: Ended[] = [];
  const env = { KUBECONFIG: kubeconfig, HOME: home };
  for (const command of story) {
    const options = { env, folder: join(folder, "manifests"), timeoutMs };
    ended.push(await runProgram("bash", ["-c", command], options));
  }
  return ended;
}

describe.skipIf(!isThere)("kubectl", () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "typekube-home-"));
    clusters = await bothClusters();
    const received = await Promise.all(clusters.map((cluster) => tell(cluster)));
    for (const [index, { name }] of clusters.entries()) {
      outputs.set(name, received[index] ?? []);
    }
    const lines = received[0]?.reduce((sum, { text }) => sum + text.trim().split("\n").length, 0);
    console.log(
      `kubectl: ${story.length} commands on ${clusters.length} servers, ${lines} lines each`,
    );
  }, 600_000);
  afterAll(async () => {
    await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
    await rm(home, { recursive: true, force: true });
  });

  // Without a real server, the output is compared with itself; the test still shows that the command ran.
  it.each(story.map((command, index) => [index, command] as const))(
    "ES32-kubectl %i: prints the same against both servers: %s",
    (index) => {
      const [embedded, real = embedded] = ["embedded", "real"].map(
        (name) => outputs.get(name)?.[index],
      );
      expect(embedded?.code).not.toBeNull();
      expect(normalised(withoutIdleWarnings(embedded?.text ?? ""))).toBe(
        normalised(real?.text ?? ""),
      );
      expect(embedded?.code).toBe(real?.code);
    },
  );
});

/** Removes the warnings about objects without effect, which only the embedded server sends. */
function withoutIdleWarnings(text: string): string {
  return text.replace(/^Warning: this embedded API server .* has no effect\n/gm, "");
}
