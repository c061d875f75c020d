import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@typekube/core/internal";
import { tokenFile } from "@typekube/transport";
import { readConfigFile } from "@typekube/transport/internal";
import type { Environment } from "../environment/environment.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { ConnectionConfig } from "./connection-options.js";

/** Folder where kubelet mounts a service account. */
const defaultDir = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Options for reading a pod's service account. */
export interface ServiceAccountOptions {
  readonly env: Environment;
  readonly serviceAccountDir?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** Returns true in a pod with a service account: the environment has the server's address, and the token file exists. */
export async function isInCluster(options: ServiceAccountOptions): Promise<boolean> {
  const { env } = options;
  if (!env["KUBERNETES_SERVICE_HOST"] || !env["KUBERNETES_SERVICE_PORT"]) {
    return false;
  }
  try {
    return (await stat(join(dirOf(options), "token"))).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the connection of a pod: the service `kubernetes`, the service account's token, read again about once a
 * minute, and the cluster's CA. As in client-go, a missing CA is no error here; the TLS handshake fails later.
 *
 * @throws {KubeError} `Config` outside a pod.
 */
export async function serviceAccountConfig(
  options: ServiceAccountOptions,
): Promise<ConnectionConfig> {
  const host = options.env["KUBERNETES_SERVICE_HOST"];
  const port = options.env["KUBERNETES_SERVICE_PORT"];
  const dir = dirOf(options);
  if (!host || !port || !(await isInCluster(options))) {
    const problem = new ConfigProblem(
      "Invalid",
      "not in a pod with a service account: KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT " +
        `and ${join(dir, "token")} are needed`,
    );
    throw configError([problem]);
  }
  const caFile = join(dir, "ca.crt");
  const ca = await readIfThere(caFile);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    tls: ca === undefined ? {} : { ca },
    tlsFiles: { ca: caFile },
    auth: tokenFile(join(dir, "token"), { clock: options.clock }),
    namespace: await podNamespace(options),
  };
}

/** Returns `POD_NAMESPACE`, else the service account's namespace, else `default`. */
export async function podNamespace(options: ServiceAccountOptions): Promise<string> {
  const text = await readIfThere(join(dirOf(options), "namespace"));
  return options.env["POD_NAMESPACE"] || text?.trim() || "default";
}

function dirOf({ serviceAccountDir }: ServiceAccountOptions): string {
  return serviceAccountDir ?? defaultDir;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readConfigFile(path);
  } catch {
    return undefined;
  }
}
