import { isGoing } from "../objects/owner-references.js";
import type { StoreEvent } from "../store/history.js";
import { splitKey } from "./pods/owned-pods.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";

const configMapName = "kube-root-ca.crt";
const accountName = "default";

/** Maintains the default ServiceAccount and the CA ConfigMap of every namespace. */
export function createServiceAccountController(context: ControllerParts): Controller {
  return {
    name: "service-accounts",
    follows: ["namespaces", "serviceaccounts", "configmaps"],
    keysOf,
    reconcile(name) {
      const namespace = context.writer.get("namespaces", "", name);
      if (namespace !== undefined && !isGoing(namespace)) {
        ensureAccount(context, name);
        ensureAuthority(context, name);
      }
      return undefined;
    },
  };
}

function* keysOf({ key, namespace, type }: StoreEvent, storage: string): Iterable<string> {
  if (storage === "namespaces") {
    yield key;
    return;
  }
  const [, name] = splitKey(key);
  // Restore them when they are deleted or changed.
  if (name === (storage === "configmaps" ? configMapName : accountName) && type !== "ADDED") {
    yield namespace;
  }
}

function ensureAccount({ writer }: ControllerParts, namespace: string): void {
  if (writer.get("serviceaccounts", namespace, accountName) === undefined) {
    writer.create("serviceaccounts", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: accountName, namespace },
    });
  }
}

/** Writes the certificate authority of the server's listeners into the namespace's ConfigMap. */
export function ensureAuthority(
  { writer, authority }: Pick<ControllerParts, "authority" | "writer">,
  namespace: string,
): void {
  const data = { "ca.crt": authority() };
  const before = writer.get("configmaps", namespace, configMapName);
  if (before !== undefined) {
    writer.update("configmaps", { ...before, data });
    return;
  }
  writer.create("configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: configMapName,
      namespace,
      annotations: {
        "kubernetes.io/description":
          "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
      },
    },
    data,
  });
}
