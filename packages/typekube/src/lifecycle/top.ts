import { Node } from "@typekube/api/core/v1";
import type { CallOptions, SelectorOptions } from "@typekube/client";
import { isNotFound, KubeError, quantity } from "@typekube/core";
import type { Client } from "../client.js";

/** The metrics API, as metrics-server serves it. */
const apiVersion = "metrics.k8s.io/v1beta1";

/** CPU and memory in use. */
export interface Usage {
  /** In cores. */
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
}

/** Usage of a node. */
export interface NodeUsage extends Usage {
  readonly name: string;
  /** Usage as a share of the node's allocatable amounts, 0 to 1; `undefined` for an unknown node. */
  readonly share: Usage | undefined;
}

/** Usage of a pod: the sum of its containers. */
export interface PodUsage extends Usage {
  readonly namespace: string;
  readonly name: string;
  readonly containers: readonly (Usage & { readonly name: string })[];
}

/** Options of {@link topNodes} and {@link topPods}. */
export interface TopOptions
  extends Pick<CallOptions, "impersonate" | "signal" | "timeoutMs">,
    Pick<SelectorOptions, "labelSelector"> {}

interface Metrics {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly usage?: Readonly<Record<string, string>>;
  readonly containers?: readonly {
    readonly name: string;
    readonly usage: Readonly<Record<string, string>>;
  }[];
}

/**
 * Returns the CPU and memory usage of nodes, highest CPU first, like `kubectl top nodes`.
 *
 * @throws {KubeError} `NotFound` with a hint when the cluster has no metrics server.
 */
export async function topNodes(
  client: Client,
  options: TopOptions = {},
): Promise<readonly NodeUsage[]> {
  const [metrics, nodes] = await Promise.all([
    metricsOf(() => client.resource({ apiVersion, kind: "NodeMetrics" }).list(options)),
    client.resource(Node).list(options),
  ]);
  const allocatable = new Map(
    nodes.items.map(({ metadata, status }) => [metadata.name, status?.allocatable ?? {}]),
  );
  return metrics
    .map(({ metadata: { name }, usage }) => {
      const used = usageOf(usage);
      const most = allocatable.has(name) ? usageOf(allocatable.get(name)) : undefined;
      return { name, ...used, share: most && shareOf(used, most) };
    })
    .sort((a, b) => b.cpu - a.cpu);
}

/**
 * Returns the CPU and memory usage of pods, highest CPU first, like `kubectl top pods`.
 *
 * @throws {KubeError} `NotFound` with a hint when the cluster has no metrics server.
 */
export async function topPods(
  client: Client,
  { namespace, ...options }: TopOptions & { readonly namespace?: string } = {},
): Promise<readonly PodUsage[]> {
  const kind = { apiVersion, kind: "PodMetrics" } as const;
  const metrics = await metricsOf(() =>
    (namespace === undefined ? client.resource(kind) : client.resource(kind, namespace)).list(
      options,
    ),
  );
  return metrics
    .map(({ metadata, containers = [] }) => {
      const each = containers.map(({ name, usage }) => ({ name, ...usageOf(usage) }));
      return {
        namespace: metadata.namespace ?? "",
        name: metadata.name,
        cpu: each.reduce((sum, { cpu }) => sum + cpu, 0),
        memory: each.reduce((sum, { memory }) => sum + memory, 0),
        containers: each,
      };
    })
    .sort((a, b) => b.cpu - a.cpu);
}

async function metricsOf(
  list: () => Promise<{ readonly items: readonly unknown[] }>,
): Promise<readonly Metrics[]> {
  try {
    return (await list()).items as readonly Metrics[];
  } catch (error) {
    if (isNotFound(error)) {
      throw new KubeError("NotFound", `the cluster does not serve ${apiVersion}`, {
        cause: error,
        hint: "install metrics-server",
      });
    }
    throw error;
  }
}

function usageOf(amounts: Readonly<Record<string, string>> = {}): Usage {
  return {
    cpu: quantity.toNumber(amounts["cpu"] ?? 0),
    memory: quantity.toNumber(amounts["memory"] ?? 0),
  };
}

function shareOf(used: Usage, most: Usage): Usage {
  return { cpu: used.cpu / most.cpu, memory: used.memory / most.memory };
}
