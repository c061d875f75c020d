import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { withDescriptor } from "../discovery/with-descriptor.js";
import type { CallOptions } from "../options/call-options.js";
import { nameOf, namespaceIn } from "../write/object-body.js";
import type { ManifestClient, ManifestOperations } from "./manifest-client.js";

/** The target of a manifest on the server. */
export interface ManifestPlace {
  readonly descriptor: ResourceDescriptor;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly operations: ManifestOperations;
}

/**
 * Runs `work` for the target of a manifest: the resource of its kind, and a namespace if that resource is namespaced.
 * Runs it once more when the server turns out to serve the kind elsewhere.
 *
 * @throws {KubeError} `InvalidArgument` for an object without apiVersion, kind or name, and for a kind whose objects
 * are not stored, such as reviews; `NotFound` for a kind that is not served.
 */
export async function atPlace<R>(
  client: ManifestClient,
  manifest: KubeObject,
  options: CallOptions,
  work: (place: ManifestPlace) => Promise<R>,
): Promise<R> {
  const { apiVersion, kind } = manifest ?? {};
  if (!apiVersion || !kind) {
    const missing = [apiVersion ? [] : "apiVersion", kind ? [] : "kind"].flat().join(" and no ");
    throw new KubeError("InvalidArgument", `the manifest has no ${missing}`);
  }
  const name = nameOf(manifest, kind);
  const source = () => client.discovery.find({ apiVersion, kind }, options);
  return withDescriptor(client.discovery, source, options, async (descriptor) => {
    if (!descriptor.verbs.some((verb) => verb === "patch" || verb === "delete")) {
      throw new KubeError("InvalidArgument", `a ${kind} cannot be applied or deleted`, {
        hint: `the server supports only ${descriptor.verbs.join(", ")} for this kind: use client.resource`,
      });
    }
    const namespace =
      descriptor.scope === "Namespaced"
        ? (namespaceIn(manifest, kind) ?? client.namespace)
        : undefined;
    const operations = client.operations(descriptor, namespace);
    return work({ descriptor, namespace, name, operations });
  });
}
