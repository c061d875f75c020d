import { assertKnownOptions, type OptionNames } from "@typekube/core/internal";
import type { ConnectionOptions } from "./connection-options.js";
import type { LoadKubeconfigOptions } from "./load-kubeconfig.js";

const ofLoading: OptionNames<keyof LoadKubeconfigOptions> = {
  env: true,
  homeDir: true,
  path: true,
};

const ofConnection: OptionNames<keyof ConnectionOptions> = {
  anonymous: true,
  ca: true,
  cert: true,
  clock: true,
  context: true,
  env: true,
  execPlugins: true,
  execPluginTimeoutMs: true,
  fileReferences: true,
  homeDir: true,
  impersonate: true,
  inCluster: true,
  insecureSkipVerify: true,
  key: true,
  kubeconfig: true,
  namespace: true,
  password: true,
  proxy: true,
  server: true,
  serverName: true,
  serviceAccountDir: true,
  signal: true,
  stdin: true,
  timeoutMs: true,
  token: true,
  tokenFile: true,
  username: true,
};

/** @throws {KubeError} `InvalidArgument` that names an option that a connection does not have. */
export function assertConnectionOptions(options: ConnectionOptions): void {
  assertKnownOptions("a connection", options, ofConnection);
}

/** @throws {KubeError} `InvalidArgument` that names an option that the loading of kubeconfigs does not have. */
export function assertLoadKubeconfigOptions(options: LoadKubeconfigOptions): void {
  assertKnownOptions("loadKubeconfig()", options, ofLoading);
}
