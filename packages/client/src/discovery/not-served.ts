import type { ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { KindReference } from "./kind-reference.js";

/** The error for a kind that a server does not serve, with what it serves instead and what became of the kind. */
export async function notServed(
  { apiVersion, kind }: KindReference,
  resources: Iterable<ResourceDescriptor>,
): Promise<KubeError> {
  const all = [...resources];
  const kinds = all.filter((one) => one.apiVersion === apiVersion).map((one) => one.kind);
  const elsewhere = all.filter((one) => one.kind === kind).map((one) => one.apiVersion);
  const known =
    elsewhere.length > 0
      ? `it serves ${kind} in ${elsewhere.join(", ")}`
      : kinds.length > 0
        ? `it serves ${kinds.sort().join(", ")} there`
        : `it does not serve ${apiVersion} at all`;
  return new KubeError("NotFound", `this server does not serve ${kind} in ${apiVersion}`, {
    hint: `${known}; ${await fateOf({ apiVersion, kind })}`,
  });
}

/** The error for a name that means no resource of a server. */
export function nameNotServed(name: string): KubeError {
  return new KubeError("NotFound", `this server serves nothing called "${name}"`, {
    hint: "a plural, singular, kind or short name is due, perhaps with its group: deployments.apps",
  });
}

async function fateOf({ apiVersion, kind }: KindReference): Promise<string> {
  const { lifecycleOf } = await import("@typekube/api/lifecycle");
  const { removed, replacedBy } = lifecycleOf({ apiVersion, kind }) ?? {};
  const use = replacedBy ? `; use ${replacedBy.kind} in ${replacedBy.apiVersion}` : "";
  return removed === undefined
    ? `a custom kind needs its CustomResourceDefinition first`
    : `Kubernetes ${removed} removed it${use}`;
}
