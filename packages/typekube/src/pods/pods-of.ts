import type { KubeObject, Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import type { LabelSelector } from "@typekube/api/meta/v1";
import type { CallOptions, ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { formatLabelSelector, KubeError, type LabelSelectorInput } from "@typekube/core";

/** An object that selects pods: a workload or a Service. */
interface Selecting extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector | Readonly<Record<string, string>>;
    readonly type?: string;
  };
}

/** Pods of an object, with the selector that finds them. */
export interface PodsOf {
  readonly pods: readonly Live<Pod>[];
  /** As kubectl writes it: `app=web`. */
  readonly selector: string;
}

/**
 * Reads the pods that an object selects.
 *
 * @throws {KubeError} `InvalidArgument` for an object that selects no pods, such as a Service of type ExternalName.
 */
export async function podsOf(
  client: ClientCore,
  owner: Live<KubeObject>,
  options: CallOptions,
): Promise<PodsOf> {
  const { spec } = owner as Selecting;
  const { selector } = spec ?? {};
  const name = `the ${owner.kind} "${owner.metadata.name}"`;
  if (selector === undefined || spec?.type === "ExternalName") {
    throw new KubeError("InvalidArgument", `${name} selects no pods`, {
      hint: "name a pod instead",
    });
  }
  const namespace = owner.metadata.namespace ?? "default";
  const isRequirements = "matchLabels" in selector || "matchExpressions" in selector;
  const labelSelector = (
    isRequirements ? selector : { matchLabels: selector }
  ) as LabelSelectorInput;
  const { items } = await resourceOf(contextOf(client), Pod, namespace).list({
    ...options,
    labelSelector,
  });
  return { pods: items, selector: formatLabelSelector(labelSelector) };
}
