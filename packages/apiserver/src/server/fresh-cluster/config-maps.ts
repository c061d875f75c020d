import type { ServerContext } from "../../context/server-context.js";
import { minorOf } from "../../resources/feature-gates.js";
import { objectKey } from "../../store/store.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";

const namespace = "kube-system";
const authentication = "extension-apiserver-authentication";
const tokenTracking = "kube-apiserver-legacy-service-account-token-tracking";

/** ConfigMap with the certificate authority of client certificates. */
export const authenticationConfigMap: { readonly namespace: string; readonly name: string } = {
  namespace,
  name: authentication,
};

/** Minor release since which uses of legacy token Secrets are tracked by default. */
const trackingMinor = 27;

/**
 * Returns the ConfigMaps of a new server: one that tells extension servers which client certificates to trust (empty
 * until a listener exists), and one that records since when uses of legacy token Secrets are tracked.
 */
export function configMaps(now: string, version: string): FreshCollection {
  const [apiVersion, kind] = ["v1", "ConfigMap"];
  const data = { since: now.slice(0, "2026-01-01".length) };
  const maps: readonly FreshObject[] = [
    { kind, apiVersion, metadata: { name: authentication, namespace } },
    ...(minorOf(version) < trackingMinor
      ? []
      : [{ kind, apiVersion, metadata: { name: tokenTracking, namespace }, data }]),
  ];
  return { apiVersion, kind, count: maps.length, objects: () => maps };
}

/** Publishes the PEM certificate authority of the client certificates that a listener accepts. */
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
