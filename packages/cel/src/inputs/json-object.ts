import { CelObject } from "../values/cel-object.js";
import type { CelValue } from "../values/cel-value.js";
import { isEqual } from "../values/equals.js";
import type { StructType } from "../values/struct-type.js";
import type { Convert } from "./convert.js";

/** An object with declared fields, which are converted when they are read. Fields that are not declared do not exist. */
export class JsonObject extends CelObject {
  override readonly type: StructType;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #convert: Convert;

  constructor(values: Readonly<Record<string, unknown>>, type: StructType, convert: Convert) {
    super();
    this.#values = values;
    this.type = type;
    this.#convert = convert;
  }

  override get size(): number {
    return Object.keys(this.#values).length;
  }

  override fieldNames(): Iterable<string> {
    return Object.keys(this.#values).filter((name) => this.type.fields.has(name));
  }

  override field(name: string): CelValue | undefined {
    const type = this.type.fields.get(name);
    return type !== undefined && Object.hasOwn(this.#values, name)
      ? this.#convert(this.#values[name], type)
      : undefined;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof JsonObject) || other.type.name !== this.type.name) {
      return false;
    }
    return [...this.type.fields.keys()].every((name) => {
      const [left, right] = [this.field(name), other.field(name)];
      return left === undefined || right === undefined ? left === right : isEqual(left, right);
    });
  }
}
