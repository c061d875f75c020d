import { inspect } from "node:util";
import type { KubeconfigCluster } from "./kubeconfig.js";

/** Of the extensions, the one that exec plugins are configured by. */
const execExtension = "client.authentication.k8s.io/exec";

/** Makes a cluster show no password of its proxy's or its server's URL, and nothing that plugins are told, in logs and JSON. */
export function redactCluster(cluster: KubeconfigCluster): KubeconfigCluster {
  const { server, "proxy-url": proxy } = cluster;
  const extensions = cluster["extensions"] as readonly { readonly name: string }[] | null;
  const hasExec = extensions?.some(({ name }) => name === execExtension);
  if (!proxy?.includes("@") && !server?.includes("@") && !hasExec) {
    return cluster;
  }
  const shown = () => ({
    ...cluster,
    ...(server ? { server: withoutPassword(server) } : {}),
    ...(proxy ? { "proxy-url": withoutPassword(proxy) } : {}),
    ...(hasExec
      ? {
          extensions: extensions?.map((extension) =>
            extension.name === execExtension
              ? { ...extension, extension: "[redacted]" }
              : extension,
          ),
        }
      : {}),
  });
  return Object.defineProperties(
    { ...cluster },
    { [inspect.custom]: { value: shown }, toJSON: { value: shown } },
  );
}

function withoutPassword(url: string): string {
  return url.replace(/^([^:]*:\/\/)?.*@/s, "$1[redacted]@");
}
