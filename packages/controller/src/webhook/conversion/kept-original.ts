import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { codecs, isJsonObject, jsonEqual, stringifyJson } from "@typekube/core/internal";

/** Annotation with the original of an object that could not be converted. */
export const unconvertedAnnotation = "typekube.dev/unconverted";

/** Bytes of an original that fit beside other annotations, of which an object may have 256 KiB. */
const maxOriginalBytes = 200 * 1024;

/**
 * Returns an object in another version with its fields as they are, and the original in an annotation.
 *
 * @throws {KubeError} `Invalid` when the original does not fit into an annotation.
 */
export function keepOriginal(object: KubeObject, desired: string): KubeObject {
  const { metadata, ...body } = object;
  const original = stringifyJson(body);
  if (Buffer.byteLength(original) > maxOriginalBytes) {
    throw new KubeError("Invalid", "the object is too large to be kept in an annotation");
  }
  const annotations = { ...metadata?.annotations, [unconvertedAnnotation]: original };
  return { ...body, apiVersion: desired, metadata: { ...metadata, annotations } };
}

/**
 * Returns the original of an object that {@link keepOriginal} returned; `undefined` for any other object, and for one
 * whose fields were edited since then.
 */
export async function keptOriginal(object: KubeObject): Promise<KubeObject | undefined> {
  const text = object.metadata?.annotations?.[unconvertedAnnotation];
  if (text === undefined) {
    return undefined;
  }
  const original = await parsed(text);
  if (original === undefined) {
    return undefined;
  }
  const { metadata, apiVersion: _, ...body } = object;
  // The server may have pruned fields that the other version does not have.
  if (!isWithin(body, original)) {
    return undefined;
  }
  return { ...original, metadata: withoutOriginal({ metadata }).metadata };
}

/** Returns an object without the annotation that {@link keepOriginal} added. */
export function withoutOriginal({ metadata, ...object }: KubeObject): KubeObject {
  const { annotations, ...others } = metadata ?? {};
  const { [unconvertedAnnotation]: _, ...rest } = annotations ?? {};
  const isEmpty = Object.keys(rest).length === 0;
  return { ...object, metadata: isEmpty ? others : { ...others, annotations: rest } };
}

async function parsed(text: string): Promise<KubeObject | undefined> {
  try {
    const value = await codecs.json.decode(Buffer.from(text));
    return isJsonObject(value) && typeof value["apiVersion"] === "string" ? value : undefined;
  } catch {
    // Another program wrote the annotation.
    return undefined;
  }
}

/** Returns `true` when every field of a value is the same in the other. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (!isJsonObject(part) || !isJsonObject(whole)) {
    return jsonEqual(part, whole);
  }
  return Object.keys(part).every(
    (key) => Object.hasOwn(whole, key) && isWithin(part[key], whole[key]),
  );
}
