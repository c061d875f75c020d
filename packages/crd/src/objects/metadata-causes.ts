import { Buffer } from "node:buffer";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { labelValueTexts, qualifiedNameTexts, subdomainTexts } from "@typekube/core/internal/texts";

/** Bytes of all annotations of an object together. (apimachinery `TotalAnnotationSizeLimitB`) */
const maxAnnotationBytes = 256 * 1024;

/**
 * Returns the field errors in an object's name, generateName, labels and annotations. Names are checked on a create only,
 * since they never change.
 */
export function metadataCauses({ metadata }: JsonObject, isCreate: boolean): StatusCause[] {
  const { name, generateName, labels, annotations } = isJsonObject(metadata) ? metadata : {};
  return [
    ...(isCreate ? nameCauses(name, generateName) : []),
    ...labelCauses(labels),
    ...annotationCauses(annotations),
  ];
}

function nameCauses(name: unknown, generateName: unknown): StatusCause[] {
  const causes: StatusCause[] = [];
  if (typeof generateName === "string" && generateName !== "") {
    // A trailing dash is followed by the generated part.
    const checked = /.-$/.test(generateName) ? `${generateName.slice(0, -2)}a` : generateName;
    causes.push(...invalid(subdomainTexts(checked), generateName, "metadata.generateName"));
  }
  // Without a name, the server generates a valid one.
  return typeof name === "string" && name !== ""
    ? [...causes, ...invalid(subdomainTexts(name), name, "metadata.name")]
    : causes;
}

function labelCauses(labels: unknown): StatusCause[] {
  const path = "metadata.labels";
  return !isJsonObject(labels)
    ? []
    : Object.entries(labels).flatMap(([key, value]) => [
        ...invalid(qualifiedNameTexts(key), key, path),
        ...(typeof value === "string" ? invalid(labelValueTexts(value), value, path) : []),
      ]);
}

function annotationCauses(annotations: unknown): StatusCause[] {
  if (!isJsonObject(annotations)) {
    return [];
  }
  const path = "metadata.annotations";
  const bytes = Object.entries(annotations)
    .flat()
    .reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  return [
    ...Object.keys(annotations).flatMap((key) =>
      invalid(qualifiedNameTexts(key.toLowerCase()), key, path),
    ),
    ...(bytes > maxAnnotationBytes ? [cause.tooLong(path, maxAnnotationBytes)] : []),
  ];
}

function invalid(texts: readonly string[], value: unknown, path: string): StatusCause[] {
  return texts.map((text) => cause.invalid(path, value, text));
}
