import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "packages/typekube/src/bin.ts");

/** A server that programs reach through its kubeconfig. */
export interface ServedCluster extends AsyncDisposable {
  readonly name: "embedded" | "real";
  readonly kubeconfig: string;
}

/**
 * Runs `typekube serve` as a user would, and waits until it reports that it is ready.
 *
 * @param options - default: rights as on a real server, and no node, which the real server of these tests lacks, too.
 */
export async function startServe(
  options: readonly string[] = ["--rbac", "--no-node"],
): Promise<ServedCluster> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-black-box-"));
  const kubeconfig = join(folder, "config");
  const flags = ["--conditions=@typekube/source", "--import", "tsx"];
  const args = [...flags, program, "serve", ...options, "--kubeconfig", kubeconfig];
  const child = spawn(process.execPath, args, { cwd: root });
  const forget = async () => {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(child);
  } catch (error) {
    await forget();
    throw error;
  }
  return { name: "embedded", kubeconfig, [Symbol.asyncDispose]: forget };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let text = "";
  const ended = once(child, "close").then(() => {
    throw new Error(`typekube serve ended: ${text}`);
  });
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("Press Ctrl+C to stop.")) {
          resolve();
        }
      });
    }
  });
  ended.catch(() => {});
  await Promise.race([ready, ended]);
}
