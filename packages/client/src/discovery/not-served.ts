import type { ResourceDescriptor } from "@typekube/api";
import { KubeError, parseApiVersion } from "@typekube/core";
import { loadOnce } from "@typekube/core/internal";
import type { KindReference } from "../types/kind-reference.js";

const loadLifecycle = loadOnce(() => import("@typekube/api/lifecycle"));

/**
 * Builds the error for a kind that a server does not serve. The hint names what the server serves instead, and the
 * release that removed the kind.
 */
export async function notServed(
  { apiVersion, kind }: KindReference,
  resources: Iterable<ResourceDescriptor>,
): Promise<KubeError> {
  const all = [...resources];
  const there = all.filter((one) => one.apiVersion === apiVersion);
  const elsewhere = all.filter((one) => one.kind === kind).map((one) => one.apiVersion);
  const meant = there.find((one) => isNearly(one, kind))?.kind;
  const known =
    meant !== undefined
      ? `the kind is called ${meant}`
      : elsewhere.length > 0
        ? `it serves ${kind} in ${elsewhere.join(", ")}`
        : there.length > 0
          ? `it serves ${there
              .map((one) => one.kind)
              .sort()
              .join(", ")} there`
          : `it does not serve ${apiVersion}`;
  const fate = await fateOf({ apiVersion, kind });
  const isKnown = meant !== undefined || elsewhere.length > 0;
  const advice = fate ?? (isKnown || !mayBeCustom(apiVersion) ? undefined : customAdvice);
  return new KubeError("NotFound", `this server does not serve ${kind} in ${apiVersion}`, {
    hint: advice === undefined ? known : `${known}; ${advice}`,
  });
}

const customAdvice = "a custom kind needs its CustomResourceDefinition first";

/** Returns true for a kind spelled in another case, and for its plural or short name. */
function isNearly({ kind, plural, shortNames }: ResourceDescriptor, word: string): boolean {
  const lower = word.toLowerCase();
  return kind.toLowerCase() === lower || plural === lower || shortNames.includes(lower);
}

/** Returns true for a group with a dot: the groups of custom kinds are domain names. */
function mayBeCustom(apiVersion: string): boolean {
  return parseApiVersion(apiVersion).group.includes(".");
}

/**
 * Builds the error for a name that matches no resource of a server.
 *
 * @param failed - group-versions whose resources the server could not list: the resource may be in one of them.
 */
export function nameNotServed(name: string, failed: Iterable<string>): KubeError {
  const undiscovered = [...failed].join(", ");
  const form =
    "use a plural, singular, kind or short name, optionally with its group: deployments.apps";
  return new KubeError("NotFound", `this server has no kind or resource named "${name}"`, {
    hint:
      undiscovered === ""
        ? form
        : `it may be in ${undiscovered}, which did not respond; otherwise ${form}`,
  });
}

async function fateOf({ apiVersion, kind }: KindReference): Promise<string | undefined> {
  const { lifecycleOf } = await loadLifecycle();
  const { removed, replacedBy } = lifecycleOf({ apiVersion, kind }) ?? {};
  const use = replacedBy ? `; use ${replacedBy.kind} in ${replacedBy.apiVersion}` : "";
  return removed === undefined ? undefined : `Kubernetes ${removed} removed it${use}`;
}
