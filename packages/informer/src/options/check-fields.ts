import type { KindReference } from "@typekube/client";
import type { View } from "@typekube/client/internal";
import { assertKnownFields } from "@typekube/core/internal";
import type { ProjectionOptions } from "./projection-options.js";

const metadataKind: KindReference = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };

/**
 * Checks the paths of `fields` against a built-in kind. No retry heals a wrong one.
 *
 * @param onWrong - called with the error of a path that leads to no field.
 */
export function checkFields(
  type: KindReference,
  { fields, view }: ProjectionOptions & { readonly view?: View | undefined },
  onWrong: (error: unknown) => void,
): void {
  if (fields !== undefined) {
    const { apiVersion, kind } = view === "metadata" ? metadataKind : type;
    void assertKnownFields(apiVersion, kind, fields).catch(onWrong);
  }
}
