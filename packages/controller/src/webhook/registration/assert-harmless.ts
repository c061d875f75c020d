import { KubeError } from "@typekube/core";
import type { AnyAdmissionHandler } from "../admission/run-admission.js";
import { selectsNamespace } from "./selectors.js";

/** Groups, or resources of a group, without which a cluster or the webhook itself cannot start. */
const vital: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.k8s.io": ["*"],
  "apiregistration.k8s.io": ["*"],
  "authentication.k8s.io": ["*"],
  "authorization.k8s.io": ["*"],
  "coordination.k8s.io": ["leases"],
};

/**
 * Rejects a webhook that can keep the cluster, or itself, from starting again: while it does not respond, the server
 * rejects the requests that would bring it back.
 *
 * @param ownNamespace - namespace of the webhook's pods; `undefined` outside of the cluster.
 * @throws {KubeError} `InvalidArgument` that says which option makes it harmless.
 */
export function assertHarmless(
  { kind, name, settings }: AnyAdmissionHandler,
  ownNamespace: string | undefined,
): void {
  if (settings.isDangerous) {
    return;
  }
  const resources = vital[kind.group] ?? [];
  if (resources.includes("*") || resources.includes(kind.plural)) {
    throw new KubeError(
      "InvalidArgument",
      `the webhook ${name} for ${kind.plural} can keep the cluster from starting again`,
      { hint: "set dangerous: true if that is intended" },
    );
  }
  if (!isBuiltIn(kind.group) || kind.scope !== "Namespaced") {
    return;
  }
  const places = ["kube-system", ...(ownNamespace === undefined ? [] : [ownNamespace])];
  const reviewed = places.filter((namespace) => selectsNamespace(settings, namespace));
  if (reviewed.length > 0) {
    throw new KubeError(
      "InvalidArgument",
      `the webhook ${name} for ${kind.plural} reviews ${reviewed.join(" and ")}, where it can block its own start`,
      {
        hint: `set excludeNamespaces: ${JSON.stringify(places)}, or dangerous: true if that is intended`,
      },
    );
  }
}

/** Returns `true` for groups of Kubernetes itself. */
export function isBuiltIn(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}
