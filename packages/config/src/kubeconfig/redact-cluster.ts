import { inspect } from "node:util";
import type { KubeconfigCluster } from "./kubeconfig.js";

/** Name of the extension that configures exec plugins. */
const execExtension = "client.authentication.k8s.io/exec";

/**
 * Redacts a cluster in logs and JSON: passwords in the server's and the proxy's URL, and the configuration of exec
 * plugins.
 */
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
