import type { ResourceDescriptor } from "@typekube/api";
import { assertKnownFields, type Projection, projectionOf } from "@typekube/core/internal";

/**
 * Returns the projection of a read; `undefined` for whole objects.
 *
 * @throws {KubeError} `InvalidArgument` for a path that leads to no field of a built-in kind.
 */
export async function projectionFor(
  { apiVersion, kind }: Pick<ResourceDescriptor, "apiVersion" | "kind">,
  fields: readonly string[] | undefined,
): Promise<Projection | undefined> {
  if (fields === undefined) {
    return undefined;
  }
  const projection = projectionOf(fields);
  await assertKnownFields(apiVersion, kind, fields);
  return projection;
}
