import { CelMap } from "../values/cel-map.js";
import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import { toCel } from "./to-cel.js";

/** An object whose keys are data; its values are converted when they are read. Only own keys count. */
export class JsonMap extends CelMap {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #valueType: CelType;

  constructor(values: Readonly<Record<string, unknown>>, valueType: CelType) {
    super();
    this.#values = values;
    this.#valueType = valueType;
  }

  override get size(): number {
    return Object.keys(this.#values).length;
  }

  override find(key: CelValue): CelValue | undefined {
    return typeof key === "string" && Object.hasOwn(this.#values, key)
      ? toCel(this.#values[key], this.#valueType)
      : undefined;
  }

  override keys(): Iterable<string> {
    return Object.keys(this.#values);
  }
}
