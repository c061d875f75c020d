import { getOwn, isJsonObject, jsonEqual } from "@typekube/core/internal";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";

/** A place of an object beside the same place of the old object. */
export class Correlation {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #schema: StructuralSchema;
  #isEqual: boolean | undefined;

  constructor(value: unknown, old: unknown, schema: StructuralSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Returns true if nothing changed here. */
  isUnchanged(): boolean {
    this.#isEqual ??= jsonEqual(this.#value, this.#old);
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
    const old = oldItem(value, this.#old, this.#schema);
    return old === undefined ? undefined : new Correlation(value, old, items);
  }
}

/** Returns the element of an old list of type `map` that has the keys of an element; `undefined` if no element has them. */
export function oldItem(
  item: unknown,
  old: unknown,
  { listType, listMapKeys, items }: StructuralSchema,
): unknown {
  if (
    listType !== "map" ||
    listMapKeys.length === 0 ||
    !Array.isArray(old) ||
    !isJsonObject(item)
  ) {
    return undefined;
  }
  const keyOf = (object: Record<string, unknown>, key: string): unknown =>
    getOwn(object, key) ?? items?.properties.get(key)?.default;
  if (listMapKeys.some((key) => keyOf(item, key) === undefined)) {
    return undefined;
  }
  return old.find(
    (other: unknown) =>
      isJsonObject(other) &&
      listMapKeys.every((key) => jsonEqual(keyOf(other, key), keyOf(item, key))),
  );
}
