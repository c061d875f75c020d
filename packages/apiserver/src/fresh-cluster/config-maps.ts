import type { ServerContext } from "../server-context.js";
import { objectKey } from "../store/store.js";
import type { FreshObject } from "./fresh-object.js";

const namespace = "kube-system";
const authentication = "extension-apiserver-authentication";

/** Extension servers read from it which client certificates to trust: none before the server has a listener. */
export function authenticationMap(): FreshObject {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name: authentication, namespace } };
}

/** Records since when uses of legacy token Secrets are tracked. */
export function tokenTracking(now: string): FreshObject {
  const name = "kube-apiserver-legacy-service-account-token-tracking";
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name, namespace },
    data: { since: now.slice(0, "2026-01-01".length) },
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
