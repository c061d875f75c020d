import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { type ConfigMap, Pod } from "@typekube/api/core/v1";
import type { Client } from "typekube";

/** Context of a controller case. */
export interface ControllerContext {
  readonly server: "embedded" | "real";
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** A property of controllers and the code that tests it. */
export interface ControllerCase {
  readonly id: string;
  readonly name: string;
  run(context: ControllerContext): Promise<void>;
}

/** Lists the objects of a namespace again after each change until the predicate holds. */
export async function listUntil<T extends KubeObject>(
  { client, namespace, signal }: ControllerContext,
  type: ResourceDescriptor<T, "Namespaced">,
  isRight: (items: readonly Live<T>[]) => boolean,
): Promise<readonly Live<T>[]> {
  const resource = client.resource(type, namespace);
  const first = await resource.list();
  if (isRight(first.items)) {
    return first.items;
  }
  const { resourceVersion } = first.metadata;
  for await (const _ of resource.watch({ resourceVersion, signal })) {
    const { items } = await resource.list();
    if (isRight(items)) {
      return items;
    }
  }
  throw new Error("the watch ended before the objects were as they should be");
}

/** Returns a ConfigMap with an owner reference to another object. */
export function owned(name: string, owner: Live<KubeObject>, block = true): ConfigMap {
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  return {
    metadata: { name, ownerReferences: [{ ...reference, blockOwnerDeletion: block }] },
  };
}

/** Sets the status of pods as a kubelet would: running and ready. */
export async function makeReady(
  { client, namespace }: ControllerContext,
  pods: readonly Live<Pod>[],
) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  for (const { metadata } of pods) {
    await client.resource(Pod, namespace).status.apply(
      metadata.name,
      {
        status: {
          phase: "Running",
          conditions: [{ type: "Ready", status: "True", lastTransitionTime: now }],
        },
      },
      { fieldManager: "kubelet" },
    );
  }
}

export function isOf(set: Live<KubeObject>): (object: Live<KubeObject>) => boolean {
  return ({ metadata }) =>
    metadata.ownerReferences?.some(
      ({ uid, controller }) => controller && uid === set.metadata.uid,
    ) === true;
}
