import type { Live, ResourceDescriptor } from "@typekube/api";
import type { DaemonSet, Deployment, StatefulSet } from "@typekube/api/apps/v1";
import { strategicPatch, type WriteOptions } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { Client } from "../client.js";

/** Annotation of the pod template that a restart sets, as kubectl does. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** Options of {@link restart}. */
export interface RestartOptions
  extends Pick<WriteOptions, "dryRun" | "fieldManager" | "impersonate" | "signal" | "timeoutMs"> {
  readonly namespace: string;
}

/**
 * Restarts a Deployment, StatefulSet or DaemonSet, like `kubectl rollout restart`: replaces its pods under its update
 * strategy.
 *
 * @returns the object with its new generation; wait for it with `conditions.rolledOut()`.
 * @throws {KubeError} `InvalidArgument` for a paused Deployment, which would replace no pods; `NotFound`.
 *
 * @example
 * ```ts
 * await restart(client, Deployment, "web", { namespace: "shop" });
 * await client.resource(Deployment, "shop").waitFor("web", conditions.rolledOut());
 * ```
 */
export async function restart<T extends DaemonSet | Deployment | StatefulSet>(
  client: Client,
  type: ResourceDescriptor<T, "Namespaced">,
  name: string,
  { namespace, ...options }: RestartOptions,
): Promise<Live<T>> {
  const workloads = client.resource(
    type as ResourceDescriptor<Deployment, "Namespaced">,
    namespace,
  );
  const found = await workloads.get(name, options);
  if (found.spec?.paused) {
    throw new KubeError(
      "InvalidArgument",
      `Deployment "${name}" is paused and cannot be restarted`,
      {
        hint: "resume it first: set spec.paused to false",
      },
    );
  }
  const now = new Date(contextOf(client).clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const annotations = { [restartedAtAnnotation]: now };
  const patch = strategicPatch({ spec: { template: { metadata: { annotations } } } });
  return (await workloads.patch(name, patch as never, options)) as unknown as Live<T>;
}
