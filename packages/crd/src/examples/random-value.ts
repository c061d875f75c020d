import { stringifyJson } from "@typekube/core/internal";
import { cloneJson, type JsonObject, setOwn } from "@typekube/core/internal/json";
import type { StructuralSchema } from "@typekube/schema";
import type { Random } from "./random.js";
import { randomNumber } from "./random-number.js";
import { randomText } from "./random-text.js";

/** Items of a list beyond its least number, and entries of an object. */
const maxMore = 3;

/** How much of a value is there. */
export interface Density {
  /** Probability of an optional field. */
  readonly optional: number;
}

/** Returns a value that a schema probably allows: bounds and lengths are kept, rules are not known. */
export function randomValue(schema: StructuralSchema, random: Random, density: Density): unknown {
  const { source } = schema;
  if (schema.nullable && schema.default === undefined && random.chance(0.1)) {
    return null;
  }
  if (Array.isArray(source["enum"]) && source["enum"].length > 0) {
    return cloneJson(random.pick(source["enum"] as [unknown, ...unknown[]]));
  }
  if (source["example"] !== undefined && random.chance(0.3)) {
    return cloneJson(source["example"]);
  }
  if (schema.embeddedResource) {
    const metadata = { name: "embedded" };
    return { apiVersion: "v1", kind: "ConfigMap", metadata };
  }
  switch (schema.type) {
    case "object":
      return randomObject(schema, random, density);
    case "array":
      return randomList(schema, random, density);
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return randomNumber(source, schema.type === "integer", random);
    case "string":
      return randomText(source, random);
    default:
      return schema.intOrString ? randomIntOrString(source, random) : randomJson(random);
  }
}

function randomIntOrString(source: JsonObject, random: Random): unknown {
  return random.chance(0.5) ? randomNumber(source, true, random) : randomText(source, random);
}

/** Returns a value for a field without a schema. */
function randomJson(random: Random): unknown {
  const values = [() => true, () => random.integer(-9, 9), () => "free", () => ({ a: ["b"] })];
  return random.pick(values as [() => unknown])();
}

function randomObject(schema: StructuralSchema, random: Random, density: Density): JsonObject {
  const object: JsonObject = {};
  const branch = schema.oneOf.length === 0 ? undefined : random.pick(nonEmpty(schema.oneOf));
  const others = schema.oneOf.filter((one) => one !== branch).flatMap(({ required }) => required);
  const needed = new Set([...schema.required, ...(branch?.required ?? [])]);
  for (const [name, property] of schema.properties) {
    const isForeign = others.includes(name) && !needed.has(name);
    if (needed.has(name) || (!isForeign && random.chance(density.optional))) {
      const narrowed = branch?.properties.get(name)?.source["enum"] === undefined;
      const own = narrowed ? property : (branch?.properties.get(name) ?? property);
      setOwn(object, name, randomValue(own, random, density));
    }
  }
  addEntries(object, schema, random, density);
  return object;
}

/** Adds fields that have no names in the schema. */
function addEntries(
  object: JsonObject,
  { additionalProperties, preserveUnknownFields, source }: StructuralSchema,
  random: Random,
  density: Density,
): void {
  if (additionalProperties === undefined && !preserveUnknownFields) {
    return;
  }
  const least = Number(source["minProperties"] ?? 0);
  const most = Math.min(
    Number(source["maxProperties"] ?? Number.POSITIVE_INFINITY),
    least + maxMore,
  );
  const count = random.integer(least, Math.max(least, most));
  for (let at = 0; at < count; at += 1) {
    const value =
      typeof additionalProperties === "object"
        ? randomValue(additionalProperties, random, density)
        : randomJson(random);
    setOwn(object, `key-${at}`, value);
  }
}

function randomList(schema: StructuralSchema, random: Random, density: Density): unknown[] {
  const { items, source, listType, listMapKeys } = schema;
  const least = Number(source["minItems"] ?? 0);
  const most = Math.min(Number(source["maxItems"] ?? Number.POSITIVE_INFINITY), least + maxMore);
  const list = Array.from({ length: random.integer(least, Math.max(least, most)) }, () =>
    items === undefined ? randomJson(random) : randomValue(items, random, density),
  );
  if (listType !== "set" && listType !== "map") {
    return list;
  }
  const known = new Set<string>();
  return list.filter((item) => {
    const key = stringifyJson(listType === "set" ? item : keyOf(item, items, listMapKeys));
    return !known.has(key) && known.add(key);
  });
}

function keyOf(
  item: unknown,
  items: StructuralSchema | undefined,
  keys: readonly string[],
): unknown {
  const fields = (item ?? {}) as JsonObject;
  return keys.map((key) => fields[key] ?? items?.properties.get(key)?.default ?? null);
}

function nonEmpty<T>(values: readonly T[]): readonly [T, ...T[]] {
  return values as readonly [T, ...T[]];
}
