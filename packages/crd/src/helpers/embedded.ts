import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { looseObject, unknown, type ZodType, type ZodUnknown } from "zod";
import type { $ZodType } from "zod/v4/core";
import { annotated } from "./annotated.js";

/**
 * Defines a whole Kubernetes object inside of the custom resource, such as a template. A server demands its apiVersion
 * and kind and checks its metadata; all other fields are kept unchecked.
 *
 * @param descriptor - the kind of the object, for its type. Default: any kind.
 */
export function embedded<T extends KubeObject = KubeObject>(
  descriptor?: ResourceDescriptor<T>,
): ZodType<T, T> {
  const schema = looseObject({});
  const description = descriptor && `A ${descriptor.kind} of ${descriptor.apiVersion}.`;
  return annotated(schema, "embedded()", {
    ...(description === undefined ? {} : { description }),
    "x-kubernetes-embedded-resource": true,
  }) as unknown as ZodType<T, T>;
}

/** Defines a field without a schema: a server keeps whatever it contains. */
export function preserveUnknown(): ZodUnknown;
/** Makes an object keep fields that are not in its schema. */
export function preserveUnknown<S extends $ZodType>(schema: S): S;
export function preserveUnknown(schema: $ZodType = unknown()): $ZodType {
  return annotated(schema, "preserveUnknown()", { "x-kubernetes-preserve-unknown-fields": true });
}
