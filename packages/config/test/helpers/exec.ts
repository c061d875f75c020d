import { kubeconfig, type TestFolder } from "@typekube/test-support/kubeconfig-files";
import type { Credentials } from "@typekube/transport";
import { execCredentials } from "../../src/exec/exec-credentials.js";
import { type ExecOptions, execOptions } from "../../src/exec/exec-options.js";
import type { ExecPlugin } from "../../src/exec/exec-plugin.js";
import { type ConnectionConfig, type ConnectionOptions, resolveConfig } from "../../src/index.js";
import type { FakePlugin } from "./fake-plugin.js";

const v1 = "client.authentication.k8s.io/v1";
const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };
/** Returns a user with an exec plugin. */
export const stanza = (command: string, over: object = {}) => ({
  exec: { apiVersion: v1, command, interactiveMode: "Never", ...over },
});

/** Resolves a connection with this user stanza, credentials included. */
export async function resolved(
  dir: TestFolder,
  parts: { user: object; cluster?: object },
  options: ConnectionOptions = {},
): Promise<ConnectionConfig> {
  const path = await dir.write("config", kubeconfig(parts));
  return resolveConfig({ ...nowhere, kubeconfig: path, ...options });
}

/** Creates unshared credentials whose clock the test controls. */
export function direct(
  plugin: FakePlugin,
  over: Partial<ExecPlugin> = {},
  options: Partial<ExecOptions> = {},
): Credentials {
  const stanza: ExecPlugin = {
    apiVersion: v1,
    command: plugin.path,
    args: [],
    env: {},
    interactiveMode: "Never",
    provideClusterInfo: false,
    ...over,
  };
  const cluster = { server: "https://kube:6443" };
  return execCredentials({ plugin: stanza, cluster }, execOptions({ env: {}, ...options }));
}

/** Returns the value of the authorization header. */
export const tokenOf = async (
  credentials: { headers(): Promise<Readonly<Record<string, string>>> } | undefined,
) => (await credentials?.headers())?.["authorization"];
