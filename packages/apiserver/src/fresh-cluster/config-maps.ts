import type { ServerContext } from "../server-context.js";
import { objectKey } from "../store/store.js";
import type { FreshCollection } from "./fresh-object.js";

const namespace = "kube-system";
const authentication = "extension-apiserver-authentication";
const tokenTracking = "kube-apiserver-legacy-service-account-token-tracking";

/**
 * The ConfigMaps of a fresh server: the one that extension servers read to know which client certificates to trust (none
 * before there is a listener), and the one that records since when uses of legacy token Secrets are tracked.
 */
export function configMaps(now: string): FreshCollection {
  const [apiVersion, kind] = ["v1", "ConfigMap"];
  const since = now.slice(0, "2026-01-01".length);
  return {
    apiVersion,
    kind,
    count: 2,
    objects: () => [
      { kind, apiVersion, metadata: { name: authentication, namespace } },
      { kind, apiVersion, metadata: { name: tokenTracking, namespace }, data: { since } },
    ],
  };
}

/** Publishes the authority of the client certificates that a listener accepts, as PEM. */
export function publishClientAuthority(
  { store }: Pick<ServerContext, "store">,
  certificate: string,
): void {
  const key = objectKey(namespace, authentication);
  const found = store.collection("configmaps").get(key);
  const data = { "client-ca-file": certificate };
  if (found !== undefined && found["data"] === undefined) {
    store.put("configmaps", key, { ...found, data });
  }
}
