import { CelMap } from "../values/cel-map.js";
import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import type { Convert } from "./convert.js";

/** An object whose keys are data; its values are converted when they are read. Only own keys count. */
export class JsonMap extends CelMap {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #valueType: CelType;
  readonly #convert: Convert;

  constructor(values: Readonly<Record<string, unknown>>, valueType: CelType, convert: Convert) {
    super();
    this.#values = values;
    this.#valueType = valueType;
    this.#convert = convert;
  }

  override get size(): number {
    return Object.keys(this.#values).length;
  }

  override find(key: CelValue): CelValue | undefined {
    return typeof key === "string" && Object.hasOwn(this.#values, key)
      ? this.#convert(this.#values[key], this.#valueType)
      : undefined;
  }

  override keys(): Iterable<string> {
    return Object.keys(this.#values);
  }
}
