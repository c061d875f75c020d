import { open, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { KubeError } from "@typekube/core";
import {
  type ClusterSnapshot,
  formatSnapshot,
  parseSnapshot,
  snapshotMark,
} from "../snapshot/cluster-snapshot.js";
import type { CommandOptions } from "./command-options.js";
import { UsageProblem } from "./command-options.js";
import { readTextFile } from "./read-text-file.js";

/** Reads the snapshot of a file. */
export async function readSnapshotFile(path: string): Promise<ClusterSnapshot> {
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (error) {
    throw new UsageProblem(`--snapshot ${path} cannot be read: ${(error as Error).message}`);
  }
  return parseSnapshot(text, path);
}

/**
 * Reads a cluster, and writes its snapshot. Replaces a snapshot, but no other file.
 *
 * @throws {UsageProblem} for another file at this path.
 * @throws {KubeError} the errors of the requests.
 */
export async function writeSnapshotFile(
  path: string,
  { kubeconfig, context }: Pick<CommandOptions, "context" | "kubeconfig">,
): Promise<ClusterSnapshot> {
  if (await isOtherFile(resolve(path))) {
    throw new UsageProblem(
      `--snapshot ${path} exists and is not a snapshot of a cluster: remove it, or name another file`,
    );
  }
  const [{ connect }, { snapshotCluster }] = await Promise.all([
    import("typekube"),
    import("../snapshot/snapshot-cluster.js"),
  ]);
  let snapshot: ClusterSnapshot;
  try {
    await using client = await connect({ kubeconfig, context });
    snapshot = await snapshotCluster(client);
  } catch (error) {
    const { code, rawMessage, hint } = KubeError.from(error);
    throw new KubeError(
      code === "InvalidArgument" ? "InvalidState" : code,
      `cannot read the cluster: ${rawMessage}`,
      { hint, cause: error },
    );
  }
  await writeFile(resolve(path), formatSnapshot(snapshot));
  return snapshot;
}

/** Returns true for a file that does not begin as snapshots do. Devices and pipes have no content to lose. */
async function isOtherFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    return false;
  }
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(snapshotMark.length), {
      position: 0,
    });
    return buffer.toString("utf8", 0, bytesRead) !== snapshotMark;
  } catch (error) {
    throw new UsageProblem(`--snapshot ${path} cannot be read: ${(error as Error).message}`);
  }
}
