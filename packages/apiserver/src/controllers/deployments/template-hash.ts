import { stringifyJson } from "@typekube/core/internal";
import { mapOf } from "../../kinds/parts.js";
import { isJsonObject, type JsonObject, jsonEqual, omitKeys } from "../../store/json-value.js";

/** The label by which the pods of one template are told from those of another. */
export const templateHashLabel = "pod-template-hash";

// As names that servers make: no vowels and no digits that look like letters.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * A short name for a template (FNV-1a, 32 bits, over its JSON with sorted keys). Real servers hash a dump of Go's memory, so
 * theirs looks the same and is another.
 */
export function templateHash(template: JsonObject, collisions: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${sorted(template)}${collisions || ""}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return [...String(hash)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}

/** Whether two templates make the same pods. The label that tells them apart does not count. */
export function isSameTemplate(a: unknown, b: unknown): boolean {
  return jsonEqual(withoutHash(mapOf(a)), withoutHash(mapOf(b)));
}

/** The template with labels added. */
export function withTemplateLabels(template: JsonObject, labels: JsonObject): JsonObject {
  const metadata = mapOf(template["metadata"]);
  return {
    ...template,
    metadata: { ...metadata, labels: { ...mapOf(metadata["labels"]), ...labels } },
  };
}

function withoutHash(template: JsonObject): JsonObject {
  const metadata = mapOf(template["metadata"]);
  const labels = omitKeys(mapOf(metadata["labels"]), templateHashLabel);
  return { ...template, metadata: { ...omitKeys(metadata, "creationTimestamp"), labels } };
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(sorted).join(",")}]`;
  }
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`).join(",")}}`;
  }
  return value === undefined ? "null" : stringifyJson(value);
}
