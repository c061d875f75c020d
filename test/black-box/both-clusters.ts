import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type ServedCluster, startServe } from "./serve.js";

/** Starts the embedded server and, if available, a real one. */
export async function bothClusters(): Promise<readonly ServedCluster[]> {
  const embedded = await startServe();
  try {
    const real = await startReal();
    return real === undefined ? [embedded] : [embedded, real];
  } catch (error) {
    await embedded[Symbol.asyncDispose]();
    throw error;
  }
}

async function startReal(): Promise<ServedCluster | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "typekube-black-box-"));
  const kubeconfig = join(folder, "config");
  await server.kubeconfig(kubeconfig);
  return {
    name: "real",
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
