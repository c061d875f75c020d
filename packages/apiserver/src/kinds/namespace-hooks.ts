import type { StatusCause } from "@typekube/core";
import { hasPodSecurity } from "../admission/pod-security/admit-pods.js";
import { readPolicy } from "../admission/pod-security/policy.js";
import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { jsonEqual } from "../objects/json-value.js";
import type { KindHooks } from "./kind-hooks.js";

/** Hooks of namespaces. */
export const namespaceHooks: Readonly<Record<string, KindHooks>> = {
  namespaces: {
    defaults: withOwnName,
    create: (namespace) => ({
      ...namespace,
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    }),
    // The spec's finalizers change only through the subresource `finalize`.
    update: (namespace, before) => ({ ...namespace, spec: before["spec"] }),
    refuse: validatePodSecurity,
  },
};

function withOwnName(namespace: ApiObject): ApiObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/** Returns causes for invalid Pod Security labels, unless the old object had the same ones. */
function validatePodSecurity(
  { metadata }: ApiObject,
  before: ApiObject | undefined,
  server: ServerContext,
): StatusCause[] {
  const causes = hasPodSecurity(server) ? [...readPolicy(metadata.labels).causes] : [];
  return jsonEqual(causes, readPolicy(before?.metadata.labels).causes) ? [] : causes;
}
