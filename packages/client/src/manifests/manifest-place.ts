import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ClientContext } from "../client-context.js";
import { nameOf, namespaceIn } from "../object-body.js";
import type { CallOptions } from "../options.js";
import { ResourceOperations } from "../resource-operations.js";

/** Where an object goes. */
export interface ManifestPlace {
  readonly descriptor: ResourceDescriptor;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly operations: ResourceOperations;
}

/**
 * Finds out where an object goes: what its kind is called and whether it lives in a namespace.
 *
 * @throws {KubeError} `InvalidArgument` for an object without apiVersion, kind or name, and for a kind of which there are no objects
 * to keep, as reviews; `NotFound` for a kind that is not served.
 */
export async function placeOf(
  context: ClientContext,
  manifest: KubeObject,
  options: CallOptions,
): Promise<ManifestPlace> {
  const { apiVersion, kind } = manifest ?? {};
  if (!apiVersion || !kind) {
    throw new KubeError("InvalidArgument", "it has no apiVersion or no kind");
  }
  const name = nameOf(manifest, kind);
  const descriptor = await context.discovery.find({ apiVersion, kind }, options);
  if (!descriptor.verbs.some((verb) => verb === "patch" || verb === "delete")) {
    throw new KubeError("InvalidArgument", `a ${kind} can be neither applied nor deleted`, {
      hint: `the server knows only ${descriptor.verbs.join(", ")} for it: use client.resource`,
    });
  }
  const namespace =
    descriptor.scope === "Namespaced"
      ? (namespaceIn(manifest, kind) ?? context.namespace)
      : undefined;
  const operations = new ResourceOperations(context, async () => descriptor, namespace);
  return { descriptor, namespace, name, operations };
}
