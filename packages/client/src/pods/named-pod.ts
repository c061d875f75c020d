import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type { CallOptions } from "../options/call-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import type { CallContext } from "../request/call-context.js";
import { resourcePath } from "../request/resource-path.js";
import { scopeProblem } from "../request/scope-problem.js";
import { PodCalls } from "./pod-calls.js";

/** The client that a pod is named with. */
export interface PodsClient {
  readonly descriptor: ResourceDescriptor;
  readonly operations: { get(name: string, options: CallOptions): Promise<Live<KubeObject>> };
  readonly namespace: string | undefined;
}

/**
 * Returns the calls into a pod.
 *
 * @throws {KubeError} `InvalidArgument` for a client of all namespaces, or a name that no object can have.
 */
export function namedPod(
  context: CallContext,
  { descriptor, operations, namespace }: PodsClient,
  name: string,
): PodCalls {
  if (namespace === undefined) {
    throw scopeProblem(
      `${descriptor.kind} "${name}" needs a namespace: this client covers all namespaces`,
      `use client.resource(${descriptor.kind}, namespace)`,
    );
  }
  const target = podTarget(context, { descriptor, operations, namespace }, name);
  return new PodCalls({ name, namespace, choose: async () => target });
}

/**
 * Returns a pod for calls.
 *
 * @throws {KubeError} `InvalidArgument` for a name that no object can have.
 */
export function podTarget(
  context: CallContext,
  { descriptor, operations, namespace }: PodsClient & { readonly namespace: string },
  name: string,
): PodTarget {
  return {
    context,
    namespace,
    name,
    path: resourcePath(descriptor, { namespace, name }),
    get: async (options) => (await operations.get(name, callOptionsOf(options))) as Live<Pod>,
  };
}
