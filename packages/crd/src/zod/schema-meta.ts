import type { JsonObject } from "@typekube/core/internal/json";
import type { Descriptions } from "./conversion.js";

/** Keywords of `meta()` that go into a definition, in addition to those that begin with `x-kubernetes-`. */
const keywords: ReadonlySet<string> = new Set([
  "example",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "externalDocs",
  "format",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "title",
  "uniqueItems",
]);

const rulesKey = "x-kubernetes-validations";

/** Returns a schema with the keywords of zod's `meta()` and `describe()`. */
export function withMeta(
  json: JsonObject,
  meta: JsonObject | undefined,
  descriptions: Descriptions,
): JsonObject {
  if (meta === undefined) {
    return json;
  }
  const added: JsonObject = {};
  for (const [key, value] of Object.entries(meta)) {
    if (key === rulesKey && Array.isArray(value) && Array.isArray(json[key])) {
      // A wrapper such as optional() has rules beside those of the schema inside of it.
      added[key] = [...(json[key] as unknown[]), ...value];
    } else if (value !== undefined && (keywords.has(key) || key.startsWith("x-kubernetes-"))) {
      added[key] = value;
    }
  }
  const [example] = Array.isArray(meta["examples"]) ? (meta["examples"] as unknown[]) : [];
  if (example !== undefined && added["example"] === undefined) {
    added["example"] = example;
  }
  const description = descriptionOf(meta, descriptions);
  return { ...json, ...added, ...(description === undefined ? {} : { description }) };
}

function descriptionOf(meta: JsonObject, descriptions: Descriptions): string | undefined {
  if (descriptions === "none") {
    return undefined;
  }
  const text = typeof meta["description"] === "string" ? meta["description"] : "";
  const parts = [
    ...(meta["deprecated"] === true ? ["Deprecated."] : []),
    ...(text === "" ? [] : [descriptions === "short" ? firstSentence(text) : text]),
    ...(meta["readOnly"] === true ? ["Read-only."] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(" ");
}

function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)|^[^\n]*/.exec(text)?.[0] ?? text;
}
