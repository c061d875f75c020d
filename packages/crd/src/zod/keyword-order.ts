import type { JsonObject } from "@typekube/core/internal/json";

const order =
  "description title type format nullable default enum minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties required properties items additionalProperties allOf oneOf anyOf not example externalDocs".split(
    " ",
  );
const ranks: ReadonlyMap<string, number> = new Map(order.map((key, rank) => [key, rank]));

/** Returns a schema with its keywords in a fixed order, whatever order they were found in. */
export function inKeywordOrder(json: JsonObject): JsonObject {
  const rank = (key: string) => ranks.get(key) ?? order.length;
  const keys = Object.keys(json).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, json[key]]));
}
