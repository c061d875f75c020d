import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";

/** The pods that a drain may remove, like kubectl's flags. */
export interface DrainRules {
  /** Leaves pods of DaemonSets in place. Without it they block the drain. Default false. */
  readonly ignoreDaemonSets?: boolean | undefined;
  /** Evicts pods with `emptyDir` volumes; their data is lost. Default false. */
  readonly deleteEmptyDirData?: boolean | undefined;
  /** Evicts pods without a controller; nothing recreates them. Default false. */
  readonly force?: boolean | undefined;
}

/** The action of a drain on a pod. */
export type DrainVerdict =
  | { readonly do: "evict" }
  | { readonly do: "skip"; readonly reason: string }
  | { readonly do: "refuse"; readonly reason: string };

/** Decides about a pod by kubectl's rules: finished pods and mirror pods never block a drain. */
export function drainVerdict(pod: Live<Pod>, rules: DrainRules): DrainVerdict {
  const { annotations = {}, ownerReferences = [], deletionTimestamp } = pod.metadata;
  if (annotations["kubernetes.io/config.mirror"] !== undefined) {
    return { do: "skip", reason: "a static pod of the node" };
  }
  const isFinished = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const controller = ownerReferences.find((owner) => owner.controller);
  if (controller?.kind === "DaemonSet" && !isFinished) {
    return rules.ignoreDaemonSets
      ? { do: "skip", reason: `managed by DaemonSet ${controller.name}` }
      : { do: "refuse", reason: "managed by a DaemonSet (ignoreDaemonSets leaves it)" };
  }
  if (deletionTimestamp !== undefined || isFinished) {
    return { do: "evict" };
  }
  if (controller === undefined && !rules.force) {
    return { do: "refuse", reason: "without a controller that recreates it (force evicts it)" };
  }
  if (pod.spec?.volumes?.some(({ emptyDir }) => emptyDir) && !rules.deleteEmptyDirData) {
    return { do: "refuse", reason: "with data in an emptyDir (deleteEmptyDirData evicts it)" };
  }
  return { do: "evict" };
}
