import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { KubeError } from "@typekube/core";

/** Paths of the programs of a control plane. */
export interface Programs {
  readonly apiServer: string;
  readonly etcd: string;
}

/**
 * Finds kube-apiserver and etcd in a folder.
 *
 * @param folder - default: the environment variable `KUBEBUILDER_ASSETS`, as for controller-runtime's envtest.
 * @throws {KubeError} `Config` when a program is missing; the error says how to get them.
 */
export async function findPrograms(
  folder: string | undefined = process.env["KUBEBUILDER_ASSETS"],
): Promise<Programs> {
  if (folder === undefined || folder === "") {
    throw missing("KUBEBUILDER_ASSETS is not set");
  }
  const programs = { apiServer: join(folder, "kube-apiserver"), etcd: join(folder, "etcd") };
  for (const path of Object.values(programs)) {
    try {
      await access(path, constants.X_OK);
    } catch (cause) {
      throw missing(`${path} is not an executable program`, cause);
    }
  }
  return programs;
}

function missing(message: string, cause?: unknown): KubeError {
  return new KubeError("Config", `no kube-apiserver for tests: ${message}`, {
    cause,
    hint: "setup-envtest gets the programs: export KUBEBUILDER_ASSETS=$(go run sigs.k8s.io/controller-runtime/tools/setup-envtest@latest use -p path)",
  });
}
