import { stringifyJson } from "@typekube/core/internal";
import { isJsonObject, type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";

/** Label that distinguishes pods by their template. */
export const templateHashLabel = "pod-template-hash";

// Alphabet of server-generated names: no vowels, no digits that resemble letters.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Returns a short name for a template (FNV-1a, 32 bits, over its JSON with sorted keys). Real servers hash a dump of
 * Go's memory, so their hashes look alike but differ.
 */
export function templateHash(template: JsonObject, collisions: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${sorted(template)}${collisions || ""}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return [...String(hash)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}

/** Returns whether two templates are equal, ignoring the hash label. */
export function isSameTemplate(a: unknown, b: unknown): boolean {
  return jsonEqual(withoutHash(mapOf(a)), withoutHash(mapOf(b)));
}

/** Adds labels to a template. */
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
