import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import { contextOf } from "@typekube/client/internal";
import { KubeError, type LabelSelectorInput } from "@typekube/core";
import { monotonicNow } from "@typekube/core/internal";
import { conditions } from "@typekube/informer";
import type { Client } from "../client.js";
import { cordon } from "./cordon.js";
import { type DrainRules, drainVerdict } from "./drain-verdict.js";

/** Default milliseconds for a drain. */
const defaultTimeoutMs = 600_000;

/** A step of a drain. */
export type DrainProgress =
  | { readonly type: "cordoned"; readonly node: string }
  | { readonly type: "skipped"; readonly pod: Live<Pod>; readonly reason: string }
  /** Evictions of the pod begin; they are retried while a disruption budget does not allow them. */
  | { readonly type: "evicting"; readonly pod: Live<Pod> }
  /** The server accepted the eviction; the pod terminates within its grace period. */
  | { readonly type: "evicted"; readonly pod: Live<Pod> }
  | { readonly type: "gone"; readonly pod: Live<Pod>; readonly remaining: number };

/** Options of {@link drain}. */
export interface DrainOptions extends DrainRules {
  /** Drains only these pods. Default: all pods of the node. */
  readonly podSelector?: LabelSelectorInput | undefined;
  /** Seconds for each pod to terminate. Default: the pod's own grace period. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Milliseconds for the whole drain. Default 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the drain, which then rejects with the signal's reason. The node stays cordoned. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each step. */
  readonly onProgress?: ((progress: DrainProgress) => void) | undefined;
}

/**
 * Drains a node, like `kubectl drain`: cordons it, evicts every pod as disruption budgets allow, and resolves once the
 * pods are gone. If one of the pods may not be removed, the node is cordoned and keeps all of its pods.
 *
 * @returns the pods that were removed.
 * @throws {KubeError} `NeverMet` naming every pod that blocks the drain, and the option that allows its removal;
 * `TooManyRequests` when a budget does not allow an eviction in time; `DeadlineExceeded` when a pod does not terminate in
 * time. An aborted drain rejects with the signal's reason.
 *
 * @example
 * ```ts
 * await drain(client, "node-1", { ignoreDaemonSets: true, onProgress: ({ type }) => console.log(type) });
 * ```
 */
export async function drain(
  client: Client,
  node: string,
  options: DrainOptions = {},
): Promise<readonly Live<Pod>[]> {
  const { signal, timeoutMs = defaultTimeoutMs, podSelector, onProgress = () => {} } = options;
  const { clock } = contextOf(client);
  const until = monotonicNow(clock) + timeoutMs;
  const leftMs = () => Math.max(1, until - monotonicNow(clock));
  await cordon(client, node, { signal });
  onProgress({ type: "cordoned", node });
  const pods: Live<Pod>[] = [];
  const refusals: string[] = [];
  const fieldSelector = { "spec.nodeName": node };
  for await (const pod of client
    .resource(Pod)
    .items({ fieldSelector, ...(podSelector ? { labelSelector: podSelector } : {}), signal })) {
    const verdict = drainVerdict(pod, options);
    if (verdict.do === "evict") {
      pods.push(pod);
    } else if (verdict.do === "skip") {
      onProgress({ type: "skipped", pod, reason: verdict.reason });
    } else {
      refusals.push(`${pod.metadata.namespace}/${pod.metadata.name} is ${verdict.reason}`);
    }
  }
  if (refusals.length > 0) {
    throw new KubeError(
      "NeverMet",
      `the node "${node}" is cordoned but was not drained: ${refusals.join("; ")}`,
    );
  }
  let remaining = pods.length;
  const remove = async (pod: Live<Pod>) => {
    onProgress({ type: "evicting", pod });
    const { name, uid, namespace = "" } = pod.metadata;
    await client.evict(name, {
      namespace,
      gracePeriodSeconds: options.gracePeriodSeconds,
      preconditions: { uid },
      retryForMs: leftMs(),
      signal,
    });
    onProgress({ type: "evicted", pod });
    await client.resource(Pod, namespace).waitFor(name, conditions.deleted(uid), {
      timeoutMs: leftMs(),
      signal,
    });
    remaining -= 1;
    onProgress({ type: "gone", pod, remaining });
  };
  await Promise.all(pods.map(remove));
  return pods;
}
