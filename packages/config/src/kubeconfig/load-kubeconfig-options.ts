import { assertOptions, type OptionTable, object, text } from "@typekube/core/internal";
import type { Environment } from "../environment/environment.js";

/** Options of `loadKubeconfig`. */
export interface LoadKubeconfigOptions {
  /** Reads only this file, which must exist. */
  readonly path?: string | undefined;
  /** Environment variables; `KUBECONFIG` names the files. Default `process.env`. */
  readonly env?: Environment | undefined;
  /** Home directory; its `.kube/config` is read when no file is named. Default: the user's. */
  readonly homeDir?: string | undefined;
}

/** Names and checks of {@link LoadKubeconfigOptions}. The path is checked where the files are found, since the error must not quote a kubeconfig. */
export const loadKubeconfigOptions: OptionTable<LoadKubeconfigOptions> = {
  env: object,
  homeDir: text,
  path: true,
};

/**
 * Rejects unknown options of `loadKubeconfig()`, and invalid values.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option.
 */
export function assertLoadKubeconfigOptions(options: LoadKubeconfigOptions): void {
  assertOptions("loadKubeconfig()", options, loadKubeconfigOptions);
}
