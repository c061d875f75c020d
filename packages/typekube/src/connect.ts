import { type ConnectOptions, clientSettings } from "@typekube/client";
import { Client } from "./client.js";

/**
 * Connects to an API server. Without options the client connects like kubectl: `KUBECONFIG`, `~/.kube/config`, or the
 * service account inside a pod. No request is sent before the first call.
 *
 * @example
 * ```ts
 * await using client = await connect();
 * for await (const pod of client.resource(Pod, "prod").items()) console.log(pod.metadata.name);
 * ```
 *
 * @throws {KubeError} `Config` when there is no usable configuration.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  return new Client(await clientSettings(options));
}
