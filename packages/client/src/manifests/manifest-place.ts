import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ClientContext } from "../client-context.js";
import { withDescriptor } from "../discovery/with-descriptor.js";
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
 * Does something where an object goes: at what its kind is called, and in a namespace if it lives in one. It is done once more
 * where the server turns out to serve the kind elsewhere.
 *
 * @throws {KubeError} `InvalidArgument` for an object without apiVersion, kind or name, and for a kind of which there are no objects
 * to keep, as reviews; `NotFound` for a kind that is not served.
 */
export async function atPlace<R>(
  context: ClientContext,
  manifest: KubeObject,
  options: CallOptions,
  work: (place: ManifestPlace) => Promise<R>,
): Promise<R> {
  const { apiVersion, kind } = manifest ?? {};
  if (!apiVersion || !kind) {
    throw new KubeError("InvalidArgument", "it has no apiVersion or no kind");
  }
  const name = nameOf(manifest, kind);
  const source = () => context.discovery.find({ apiVersion, kind }, options);
  return withDescriptor(context.discovery, source, options, async (descriptor) => {
    if (!descriptor.verbs.some((verb) => verb === "patch" || verb === "delete")) {
      throw new KubeError("InvalidArgument", `a ${kind} cannot be applied or deleted`, {
        hint: `the server supports only ${descriptor.verbs.join(", ")} for it: use client.resource`,
      });
    }
    const namespace =
      descriptor.scope === "Namespaced"
        ? (namespaceIn(manifest, kind) ?? context.namespace)
        : undefined;
    const operations = new ResourceOperations(context, async () => descriptor, namespace);
    return work({ descriptor, namespace, name, operations });
  });
}
