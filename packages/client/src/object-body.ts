import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";

/**
 * The object with kind and apiVersion filled in. The caller's object is not changed.
 *
 * @throws {KubeError} `InvalidArgument` for an object of another kind, which would end in the wrong place.
 */
export function withTypeMeta<T extends KubeObject>(
  object: T,
  { apiVersion, kind }: Pick<ResourceDescriptor, "apiVersion" | "kind">,
): T {
  if (typeof object !== "object" || object === null) {
    throw new KubeError("InvalidArgument", `a ${kind} must be an object`);
  }
  const isList = Array.isArray((object as { items?: unknown }).items) && kind !== object.kind;
  if (isList || Array.isArray(object)) {
    throw new KubeError("InvalidArgument", `a list stands where one ${kind} is due`, {
      hint: "write its items one by one",
    });
  }
  for (const [field, expected] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
  ] as const) {
    if (object[field] !== undefined && object[field] !== expected) {
      throw new KubeError(
        "InvalidArgument",
        `the object's ${field} is "${object[field]}" but this client is for ${kind} in ${apiVersion}`,
      );
    }
  }
  return { ...object, apiVersion, kind };
}

/** @throws {KubeError} `InvalidArgument` for an object without a name. */
export function nameOf(object: KubeObject, kind: string): string {
  const name = object.metadata?.name;
  if (name === undefined || name === "") {
    throw new KubeError("InvalidArgument", `the ${kind} has no metadata.name`, {
      hint: "an object is written under its name",
    });
  }
  return name;
}

/**
 * An object that is made needs a name or the beginning of one, unless making it is a question or an operation that leaves nothing
 * behind.
 *
 * @throws {KubeError} `InvalidArgument` for an object without either.
 */
export function assertNamed(
  { metadata }: KubeObject,
  { kind, verbs }: Pick<ResourceDescriptor, "kind" | "verbs">,
): void {
  if (verbs.includes("get") && !metadata?.name && !metadata?.generateName) {
    throw new KubeError("InvalidArgument", `the ${kind} has no metadata.name`, {
      hint: "set it, or metadata.generateName to have the server make one up",
    });
  }
}
