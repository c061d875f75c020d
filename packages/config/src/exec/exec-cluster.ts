import { Buffer } from "node:buffer";
import type { TlsOptions } from "@typekube/transport";
import type { KubeconfigCluster } from "../kubeconfig/kubeconfig.js";
import type { ExecCluster } from "./exec-plugin.js";

/** Name of the cluster extension that is passed to plugins. */
const configExtension = "client.authentication.k8s.io/exec";

/** Returns the cluster information passed to plugins, with the server and the CA that are actually used. */
export function execCluster(
  server: string,
  tls: TlsOptions,
  cluster: KubeconfigCluster,
): ExecCluster {
  const proxy = cluster["proxy-url"];
  const extensions = (cluster["extensions"] ?? []) as readonly {
    readonly name: string;
    readonly extension?: unknown;
  }[];
  const config = extensions.find(({ name }) => name === configExtension)?.extension;
  return {
    server,
    ...(tls.serverName ? { "tls-server-name": tls.serverName } : {}),
    ...(tls.insecureSkipVerify ? { "insecure-skip-tls-verify": true } : {}),
    ...(tls.ca ? { "certificate-authority-data": base64(tls.ca) } : {}),
    ...(proxy ? { "proxy-url": proxy } : {}),
    ...(cluster["disable-compression"] ? { "disable-compression": true } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

function base64(pem: string | Uint8Array): string {
  return Buffer.from(pem as Uint8Array).toString("base64");
}
