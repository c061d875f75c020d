import { inspect } from "node:util";
import type { KubeconfigCluster } from "./kubeconfig.js";

/** Makes a cluster whose proxy needs a password show it neither in logs nor in JSON. */
export function redactCluster(cluster: KubeconfigCluster): KubeconfigCluster {
  const proxy = cluster["proxy-url"];
  if (!proxy?.includes("@")) {
    return cluster;
  }
  const shown = () => ({
    ...cluster,
    "proxy-url": proxy.replace(/^([^:]*:\/\/)?.*@/s, "$1[redacted]@"),
  });
  return Object.defineProperties(
    { ...cluster },
    { [inspect.custom]: { value: shown }, toJSON: { value: shown } },
  );
}
