import { join } from "node:path";
import { ServerProcess, waitUntil } from "@typekube/apiserver/envtest/internal";
import { findAssets } from "./assets.js";
import type { RealServer } from "./real-server.js";

/** A kube-controller-manager that works on a real server. */
export interface ControllerManager extends AsyncDisposable {
  readonly process: ServerProcess;
}

/** Options of the start. */
export interface ControllerManagerOptions {
  /** Resolves to true once the controllers have begun to work. */
  readonly isReady: () => Promise<boolean>;
  /** Milliseconds until then. Default 180,000. */
  readonly timeoutMs?: number;
}

/**
 * Starts a kube-controller-manager beside a real server. Returns `undefined` when the program is missing, and logs one
 * line about it. It listens on no port; `isReady` recognizes its start by its work. Dispose it before its server.
 */
export async function startControllerManager(
  server: RealServer,
  { isReady, timeoutMs = 180_000 }: ControllerManagerOptions,
): Promise<ControllerManager | undefined> {
  const assets = await findAssets();
  if (assets?.controllerManager === undefined) {
    console.warn(
      "NO CONTROLLER MANAGER: kube-controller-manager is missing in the folder of kube-apiserver.",
    );
    return undefined;
  }
  const kubeconfig = join(server.folder, "controller-manager.kubeconfig");
  await server.kubeconfig(kubeconfig);
  const process = new ServerProcess(assets.controllerManager, [
    `--kubeconfig=${kubeconfig}`,
    "--leader-elect=false",
    "--use-service-account-credentials=false",
    `--service-account-private-key-file=${join(server.folder, "service-account.key")}`,
    `--root-ca-file=${join(server.folder, "certificates", "apiserver.crt")}`,
    "--bind-address=127.0.0.1",
    "--secure-port=0",
  ]);
  try {
    await waitUntil(isReady, process, timeoutMs);
  } catch (error) {
    await process.kill();
    throw error;
  }
  return { process, [Symbol.asyncDispose]: () => process.kill() };
}
