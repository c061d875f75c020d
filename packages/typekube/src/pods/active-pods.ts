import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";

const phases: readonly unknown[] = ["Pending", "Unknown", "Running"];

/**
 * Returns the pod that a command for a workload is for, by kubectl's order: assigned to a node, running, ready, not being
 * deleted, ready for the longest time, fewest restarts, oldest. (kubectl `podutils.ActivePods`)
 */
export function mostActivePod(pods: readonly Live<Pod>[]): Live<Pod> | undefined {
  return pods.toSorted(compare)[0];
}

/** Returns `true` for a pod whose condition Ready is True. */
export function isReady({ status }: Pod): boolean {
  return readyCondition({ status }) !== undefined;
}

function readyCondition({ status }: Pod) {
  return status?.conditions?.find(({ type, status }) => type === "Ready" && status === "True");
}

/** Compares two pods: a negative number when the first is better. */
function compare(one: Live<Pod>, other: Live<Pod>): number {
  const [a, b] = [rank(one), rank(other)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

/** Numbers of a pod in the order of their weight; the smaller the better. */
function rank({ metadata, spec, status }: Live<Pod>): readonly number[] {
  const restarts = (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount);
  const readySince = readyCondition({ status })?.lastTransitionTime;
  return [
    spec?.nodeName ? 0 : 1,
    -phases.indexOf(status?.phase),
    readySince === undefined && !isReady({ status }) ? 1 : 0,
    metadata.deletionTimestamp === undefined ? 0 : 1,
    timeOf(readySince),
    Math.max(0, ...restarts),
    timeOf(metadata.creationTimestamp),
  ];
}

/** An absent time is later than any other. */
function timeOf(text: string | undefined): number {
  return text === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(text);
}
