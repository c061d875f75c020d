import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assertName } from "../request/resource-path.js";
import { assertWhole } from "./assert-whole.js";

/**
 * Returns the object with kind and apiVersion filled in. The caller's object is not modified.
 *
 * @param assertSendable - rejects an object that lacks fields. Default: as for a call that sends a whole object.
 * @throws {KubeError} `InvalidArgument` for an object of another kind, which would go to the wrong resource, and for one
 * of which some fields only were read.
 */
export function withTypeMeta<T extends KubeObject>(
  object: T,
  { apiVersion, kind }: Pick<ResourceDescriptor, "apiVersion" | "kind">,
  assertSendable: (object: unknown, what: string) => void = assertWhole,
): T {
  if (typeof object !== "object" || object === null) {
    throw new KubeError("InvalidArgument", `a ${kind} must be an object`);
  }
  assertSendable(object, `the ${kind}`);
  const isList = Array.isArray((object as { items?: unknown }).items) && kind !== object.kind;
  if (isList || Array.isArray(object)) {
    throw new KubeError("InvalidArgument", `expected one ${kind}, got a list`, {
      hint: "write the items one at a time",
    });
  }
  for (const [field, expected] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
  ] as const) {
    if (object[field] !== undefined && object[field] !== expected) {
      throw new KubeError(
        "InvalidArgument",
        `the object's ${field} is "${object[field]}", but this client is for ${kind} in ${apiVersion}`,
      );
    }
  }
  return { ...object, apiVersion, kind };
}

/** @throws {KubeError} `InvalidArgument` for an object without a name, and for a name that is not a string. */
export function nameOf({ metadata }: KubeObject, kind: string): string {
  const name = textIn(metadata, "name", kind);
  if (name === undefined) {
    throw new KubeError("InvalidArgument", `the ${kind} has no metadata.name`, {
      hint: metadata?.generateName ? "only create supports generateName" : "set metadata.name",
    });
  }
  return name;
}

/**
 * Returns the namespace of an object. An empty namespace, as written by charts, counts as absent.
 *
 * @throws {KubeError} `InvalidArgument` for a namespace that is not a string.
 */
export function namespaceIn({ metadata }: KubeObject, kind: string): string | undefined {
  return textIn(metadata, "namespace", kind);
}

function textIn(
  metadata: KubeObject["metadata"],
  field: "name" | "namespace",
  kind: string,
): string | undefined {
  const value: unknown = metadata?.[field] ?? "";
  if (typeof value !== "string") {
    throw new KubeError(
      "InvalidArgument",
      `metadata.${field} of the ${kind} must be a string, not a ${typeof value}`,
      { hint: "in YAML, values such as 123, on and n are strings only when quoted" },
    );
  }
  return value === "" ? undefined : value;
}

/**
 * Rejects a new object without `metadata.name` or `metadata.generateName`. Objects that are not stored, such as
 * reviews, need neither.
 *
 * @throws {KubeError} `InvalidArgument` for an object without either, and for a name that is not a string or would lead
 * elsewhere.
 */
export function assertNamed(
  { metadata }: KubeObject,
  { kind, verbs }: Pick<ResourceDescriptor, "kind" | "verbs">,
): void {
  if (verbs.includes("get") && !textIn(metadata, "name", kind) && !metadata?.generateName) {
    throw new KubeError("InvalidArgument", `the ${kind} has no metadata.name`, {
      hint: "set it, or set metadata.generateName to let the server choose a name",
    });
  }
  if (metadata?.name) {
    assertName(metadata.name);
  }
}
