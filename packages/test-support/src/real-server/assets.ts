import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { buildAssets } from "./build-assets.js";

/** Kubernetes version of the real server. The Go module beside this file pins the same one. */
export const kubeVersion = "1.37.1";

/** Paths of the programs of a control plane. */
export interface ServerAssets {
  readonly apiServer: string;
  readonly etcd: string;
  /** `undefined` when only the two others exist: envtest does not include it. */
  readonly controllerManager?: string;
}

/**
 * Finds the programs, unless `TYPEKUBE_REAL_SERVER` is `off`: in `KUBEBUILDER_ASSETS`, as for envtest, otherwise in the user's cache, where
 * `TYPEKUBE_BUILD_SERVER=1` builds them once. Logs one line about what is missing when there are none.
 */
export async function findAssets(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ServerAssets | undefined> {
  const {
    KUBEBUILDER_ASSETS: given,
    TYPEKUBE_BUILD_SERVER: mayBuild,
    TYPEKUBE_REAL_SERVER: isOff,
  } = environment;
  if (isOff === "off") {
    return undefined;
  }
  const cache = cacheFolder(environment);
  const found = (given ? await assetsIn(given) : undefined) ?? (await assetsIn(cache));
  if (found) {
    return found;
  }
  if (mayBuild === "1") {
    await buildAssets(cache, kubeVersion);
    return assetsIn(cache);
  }
  const where = given ? `not in KUBEBUILDER_ASSETS (${given})` : "KUBEBUILDER_ASSETS is not set";
  console.warn(
    `NO REAL API SERVER: ${where}, not in ${cache}. Set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd, or ` +
      "TYPEKUBE_BUILD_SERVER=1 to build them once with Go (about 9 minutes).",
  );
  return undefined;
}

function cacheFolder({ XDG_CACHE_HOME: home }: NodeJS.ProcessEnv): string {
  return join(home || join(homedir(), ".cache"), "typekube", `kube-v${kubeVersion}`);
}

async function assetsIn(folder: string): Promise<ServerAssets | undefined> {
  const assets = { apiServer: join(folder, "kube-apiserver"), etcd: join(folder, "etcd") };
  const controllerManager = join(folder, "kube-controller-manager");
  if (!(await Promise.all(Object.values(assets).map(isProgram))).every(Boolean)) {
    return undefined;
  }
  return (await isProgram(controllerManager)) ? { ...assets, controllerManager } : assets;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
