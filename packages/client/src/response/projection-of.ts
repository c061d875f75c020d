import type { ResourceDescriptor } from "@typekube/api";
import { assertKnownFields, type Projection, projectionOf } from "@typekube/core/internal";

/** Kinds for which the paths of a projection were checked, as apiVersion and kind. */
const checked = new WeakMap<Projection, Set<string>>();

/**
 * Returns the projection of a read, after its paths were checked against the kind.
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
  const kinds = checked.get(projection) ?? new Set();
  const name = `${apiVersion} ${kind}`;
  if (!kinds.has(name)) {
    await assertKnownFields(apiVersion, kind, projection);
    checked.set(projection, kinds.add(name));
  }
  return projection;
}
