import { cause } from "../response/status-errors.js";
import type { ApiObject } from "../store/stored-object.js";
import type { KindHooks } from "./kind-hooks.js";

const prefix = "pod-security.kubernetes.io/";
const modes = ["enforce", "audit", "warn"];
const levels = ["privileged", "baseline", "restricted"];
const versionPattern = /^(?:latest|v1\.(?:0|[1-9]\d*))$/;

/** Namespaces. */
export const namespaceHooks: Readonly<Record<string, KindHooks>> = {
  namespaces: {
    defaults: withOwnName,
    create: (namespace) => ({
      ...namespace,
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    }),
    // The finalizers of the spec change only through the subresource `finalize`.
    update: (namespace, before) => ({ ...namespace, spec: before["spec"] }),
    refuse: podSecurityCauses,
  },
};

function withOwnName(namespace: ApiObject): ApiObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/** What is wrong with the labels of Pod Security admission; what stood there before may stay. */
function podSecurityCauses({ metadata }: ApiObject, before: ApiObject | undefined) {
  const checked = modes.flatMap((mode) => [
    {
      label: `${prefix}${mode}`,
      isRight: (value: string) => levels.includes(value),
      why: `must be one of ${levels.join(", ")}`,
    },
    {
      label: `${prefix}${mode}-version`,
      isRight: (value: string) => versionPattern.test(value),
      why: 'must be "latest" or "v1.x"',
    },
  ]);
  return checked.flatMap(({ label, isRight, why }) => {
    const value = metadata.labels?.[label];
    return value === undefined || isRight(value) || value === before?.metadata.labels?.[label]
      ? []
      : [cause.invalid(`metadata.labels[${label}]`, value, why)];
  });
}
