import { CelList } from "../values/cel-list.js";
import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import type { Convert } from "./convert.js";

/** An array whose elements are converted when they are read. */
export class JsonList extends CelList {
  readonly #values: readonly unknown[];
  readonly #elementType: CelType;
  readonly #convert: Convert;

  constructor(values: readonly unknown[], elementType: CelType, convert: Convert) {
    super();
    this.#values = values;
    this.#elementType = elementType;
    this.#convert = convert;
  }

  override get size(): number {
    return this.#values.length;
  }

  override at(index: number): CelValue {
    return this.#convert(this.#values[index], this.#elementType);
  }
}
