import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { Pod, type Service } from "@typekube/api/core/v1";
import type { CallOptions, ClientCore, KindReference, NamingPods } from "@typekube/client";
import {
  contextOf,
  PodCalls,
  type PodSource,
  type PodTarget,
  podTarget,
  resourceOf,
} from "@typekube/client/internal";
import { KubeError } from "@typekube/core";

/** Kinds whose pods can be meant by a call, by group. */
const choosing: Readonly<Record<string, readonly string[]>> = {
  "": ["Pod", "ReplicationController", "Service"],
  apps: ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"],
  batch: ["Job"],
};

/** The kinds of {@link NamingWith}. */
export type ChoosingKind =
  | "DaemonSet"
  | "Deployment"
  | "Job"
  | "ReplicaSet"
  | "ReplicationController"
  | "Service"
  | "StatefulSet";

/** Calls into the pods of a workload or a Service. */
export type NamingWith<T extends KubeObject> =
  NonNullable<T["kind"]> extends ChoosingKind
    ? string extends NonNullable<T["kind"]>
      ? unknown
      : NamingPods
    : unknown;

/**
 * Adds `named` to the client of a resource of pods: calls into the pod of that name, or into a pod of the workload or
 * Service of that name, which is chosen for each call as kubectl does.
 */
export function withPods<R extends object>(
  resource: R,
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  namespace: string | undefined,
): R {
  if (!("plural" in type) || !choosing[type.group]?.includes(type.kind)) {
    return resource;
  }
  const named = (name: string): PodCalls => {
    if (namespace === undefined) {
      throw new KubeError("InvalidArgument", `${type.kind} "${name}" needs a namespace`, {
        hint: `use client.resource(${type.kind}, namespace)`,
      });
    }
    const source =
      type.kind === "Pod"
        ? podSource(client, namespace, name)
        : chosenSource(client, type, namespace, name);
    return new PodCalls(source);
  };
  return Object.defineProperty(resource, "named", { configurable: true, value: named });
}

function podSource(client: ClientCore, namespace: string, name: string): PodSource {
  const target = targetOf(client, namespace, name);
  return { namespace, name, choose: async () => target };
}

/** Returns a pod for calls, which can wait until its containers run. */
export function targetOf(client: ClientCore, namespace: string, name: string): PodTarget {
  const context = contextOf(client);
  const operations = resourceOf(context, Pod, namespace);
  return {
    ...podTarget(context, { descriptor: Pod, operations, namespace }, name),
    async untilRunning(container, options) {
      const { untilRunning } = await import("./until-running.js");
      await untilRunning(client, { namespace, name }, container, options);
    },
  };
}

function chosenSource(
  client: ClientCore,
  type: ResourceDescriptor,
  namespace: string,
  name: string,
): PodSource {
  const owners = resourceOf(contextOf(client), type as ResourceDescriptor<KubeObject>, namespace);
  const read = (options: CallOptions) => owners.get(name, options) as Promise<Live<KubeObject>>;
  return {
    namespace,
    name,
    async choose(options) {
      const [{ mostActivePod }, { podsOf }] = await Promise.all([
        import("./active-pods.js"),
        import("./pods-of.js"),
      ]);
      const { pods, selector } = await podsOf(client, await read(options), options);
      const pod = mostActivePod(pods);
      if (pod === undefined) {
        throw new KubeError(
          "NotFound",
          `${type.kind} "${name}" has no pods (selector ${selector})`,
        );
      }
      return targetOf(client, namespace, pod.metadata.name);
    },
    ...(type.kind === "Service"
      ? {
          async portOf(pod: PodTarget, port: number | string, options: CallOptions) {
            const { targetPort } = await import("./service-port.js");
            return targetPort((await read(options)) as Service, await pod.get(options), port);
          },
        }
      : {}),
  };
}
