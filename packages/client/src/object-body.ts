import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { codecs, KubeError, mediaTypes, stringifyJson } from "@typekube/core";

/** A request body and what it is. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Any value as a JSON body. */
export async function jsonBody(
  value: unknown,
  contentType: string = mediaTypes.json,
): Promise<Body> {
  return { bytes: await codecs.json.encode(value), contentType };
}

// What YAML forbids in a text or folds into a blank, though JSON allows it (YAML 1.2 section 5.1).
const unsafeInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The body of a server-side apply. The server reads it as YAML, of which JSON is all but a part. */
export async function applyBody(value: unknown): Promise<Body> {
  const text = stringifyJson(value).replace(
    unsafeInYaml,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { bytes: Buffer.from(text), contentType: mediaTypes.applyYaml };
}

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
    throw new KubeError("InvalidArgument", `the ${kind} has no metadata.name`);
  }
  return name;
}
