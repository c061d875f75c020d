import { isStackOverflow } from "@typekube/cel/internal";
import { getOwn, isJsonObject, jsonEqual } from "@typekube/core/internal/json";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";

/** A place of an object beside the same place of the old object. */
export class Correlation {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #schema: StructuralSchema;
  #isEqual: boolean | undefined;
  #oldItem: ((item: unknown) => unknown) | undefined;

  constructor(value: unknown, old: unknown, schema: StructuralSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Returns true if nothing changed here. Values that are nested too deeply to be compared count as changed. */
  isUnchanged(): boolean {
    this.#isEqual ??= isEqualJson(this.#value, this.#old);
    return this.#isEqual;
  }

  /** Returns the field of both objects, `undefined` unless both have it. */
  key(name: string): Correlation | undefined {
    const value = isJsonObject(this.#value) ? getOwn(this.#value, name) : undefined;
    const old = isJsonObject(this.#old) ? getOwn(this.#old, name) : undefined;
    const schema = propertySchema(this.#schema, name);
    return value === undefined || old === undefined || schema === undefined
      ? undefined
      : new Correlation(value, old, schema);
  }

  /** Returns the element with the same keys in the old list; only lists of type `map` have one. */
  index(index: number): Correlation | undefined {
    const { items, listType } = this.#schema;
    if (!Array.isArray(this.#value) || items === undefined || listType !== "map") {
      return undefined;
    }
    const value: unknown = this.#value[index];
    this.#oldItem ??= oldItems(this.#old, this.#schema);
    const old = this.#oldItem(value);
    return old === undefined ? undefined : new Correlation(value, old, items);
  }
}

function isEqualJson(value: unknown, old: unknown): boolean {
  try {
    return jsonEqual(value, old);
  } catch (error) {
    if (isStackOverflow(error)) {
      return false;
    }
    throw error;
  }
}

/**
 * Returns what finds the element of an old list of type `map` that has the keys of an element; it returns `undefined` if
 * no element has them.
 */
export function oldItems(old: unknown, schema: StructuralSchema): (item: unknown) => unknown {
  const { listType, listMapKeys } = schema;
  if (listType !== "map" || listMapKeys.length === 0 || !Array.isArray(old)) {
    return () => undefined;
  }
  const found = new Map<string, unknown>();
  for (const item of old) {
    const key = keyOf(item, schema);
    if (key !== undefined && !found.has(key)) {
      found.set(key, item);
    }
  }
  return (item) => {
    const key = keyOf(item, schema);
    return key === undefined ? undefined : found.get(key);
  };
}

/** Returns the keys of an element as one text, with defaults for missing ones; `undefined` for an element without keys. */
function keyOf(item: unknown, { listMapKeys, items }: StructuralSchema): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const parts = listMapKeys.map(
    (name) => getOwn(item, name) ?? items?.properties.get(name)?.default,
  );
  return parts.includes(undefined)
    ? undefined
    : JSON.stringify(parts, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}
