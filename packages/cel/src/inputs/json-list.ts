import { CelList } from "../values/cel-list.js";
import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import { toCel } from "./to-cel.js";

/** An array whose elements are converted when they are read. */
export class JsonList extends CelList {
  readonly #values: readonly unknown[];
  readonly #elementType: CelType;

  constructor(values: readonly unknown[], elementType: CelType) {
    super();
    this.#values = values;
    this.#elementType = elementType;
  }

  override get size(): number {
    return this.#values.length;
  }

  override at(index: number): CelValue {
    return toCel(this.#values[index], this.#elementType);
  }
}
