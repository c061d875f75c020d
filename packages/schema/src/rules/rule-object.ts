import { CelFailure, CelMap, type CelResult, type CelValue } from "@typekube/cel";
import { equality, typeOf } from "@typekube/cel/internal";
import { getOwn, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { StructuralSchema } from "../structural/structural-schema.js";
import type { Convert } from "./convert.js";
import { escapeFieldName, unescapeFieldName } from "./field-names.js";

/**
 * An object of a custom resource as rules see it. With properties, only those exist, under their escaped names, and null
 * is the same as absent; with additional properties it is a map.
 */
export class RuleObject extends CelMap {
  readonly value: JsonObject;
  readonly #schema: StructuralSchema;
  readonly #convert: Convert;

  constructor(value: JsonObject, schema: StructuralSchema, convert: Convert) {
    super();
    this.value = value;
    this.#schema = schema;
    this.#convert = convert;
  }

  override get size(): number {
    return Object.keys(this.value).length;
  }

  /** As with lists, `optional.ofNonZeroValue` takes an empty object, too. */
  override get isZero(): boolean {
    return false;
  }

  override find(key: CelValue): CelResult | undefined {
    if (typeof key !== "string") {
      return new CelFailure(`no such overload: ${typeOf(key).name}`);
    }
    const name = this.#hasProperties ? unescapeFieldName(key) : key;
    return name === undefined ? undefined : this.#property(name);
  }

  override *keys(): IterableIterator<string> {
    for (const key of Object.keys(this.value)) {
      if (this.#propertySchema(key) !== undefined) {
        yield this.#hasProperties ? (escapeFieldName(key) ?? key) : key;
      }
    }
  }

  /** Fields without a schema are compared as JSON, but only where both objects have them; as in Kubernetes. */
  override equals(other: CelMap): boolean | CelFailure {
    if (this.size !== other.size) {
      return false;
    }
    for (const key of Object.keys(this.value)) {
      const same = this.#isFieldEqual(key, other);
      if (same !== true) {
        return same;
      }
    }
    return true;
  }

  #isFieldEqual(key: string, other: CelMap): boolean | CelFailure {
    if (this.#propertySchema(key) === undefined) {
      const unknown = other instanceof RuleObject ? getOwn(other.value, key) : undefined;
      return unknown === undefined || jsonEqual(this.value[key], unknown);
    }
    const name = this.#hasProperties ? (escapeFieldName(key) ?? key) : key;
    const [left, right] = [this.find(name), other.find(name)];
    if (left === undefined || right === undefined) {
      return left === right;
    }
    return !(left instanceof CelFailure) && !(right instanceof CelFailure) && equality(left, right);
  }

  get #hasProperties(): boolean {
    return this.#schema.properties.size > 0;
  }

  #property(name: string): CelResult | undefined {
    const schema = this.#propertySchema(name);
    const value = getOwn(this.value, name);
    if (schema === undefined || value === undefined || (value === null && this.#hasProperties)) {
      return undefined;
    }
    return this.#convert(value, schema);
  }

  #propertySchema(name: string): StructuralSchema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (this.#hasProperties) {
      return properties.get(name);
    }
    return typeof additionalProperties === "object" ? additionalProperties : undefined;
  }
}
