import { assertKnownOptions, type OptionNames } from "@typekube/core/internal";
import { assertOptionTypes } from "./assert-option-types.js";
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

/**
 * Rejects unknown connection options and options of a wrong type.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option.
 */
export function assertConnectionOptions(options: ConnectionOptions): void {
  assertKnownOptions("a connection", options, ofConnection);
  assertOptionTypes(options);
}

/**
 * Rejects unknown options of `loadKubeconfig()`.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option.
 */
export function assertLoadKubeconfigOptions(options: LoadKubeconfigOptions): void {
  assertKnownOptions("loadKubeconfig()", options, ofLoading);
}
