import { isGoing } from "../objects/owner-references.js";
import { splitKey } from "./pods/owned-pods.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";

const configMapName = "kube-root-ca.crt";
const accountName = "default";

/** Maintains the default ServiceAccount and the CA ConfigMap of every namespace. */
export function createServiceAccountController(
  { writer }: ControllerParts,
  authority: () => string,
): Controller {
  return {
    name: "service-accounts",
    follows: ["namespaces", "serviceaccounts", "configmaps"],
    *keysOf({ key, namespace, type }, storage) {
      if (storage === "namespaces") {
        yield key;
        return;
      }
      const [, name] = splitKey(key);
      // Restore them when they are deleted or changed.
      if (name === (storage === "configmaps" ? configMapName : accountName) && type !== "ADDED") {
        yield namespace;
      }
    },
    reconcile(name) {
      const namespace = writer.get("namespaces", "", name);
      if (namespace === undefined || isGoing(namespace)) {
        return undefined;
      }
      if (writer.get("serviceaccounts", name, accountName) === undefined) {
        writer.create("serviceaccounts", {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: accountName, namespace: name },
        });
      }
      const data = { "ca.crt": authority() };
      const before = writer.get("configmaps", name, configMapName);
      if (before === undefined) {
        writer.create("configmaps", {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: {
            name: configMapName,
            namespace: name,
            annotations: {
              "kubernetes.io/description":
                "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
            },
          },
          data,
        });
      } else {
        writer.update("configmaps", { ...before, data });
      }
      return undefined;
    },
  };
}
