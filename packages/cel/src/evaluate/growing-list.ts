import { ArrayList, CelList } from "../values/cel-list.js";
import type { CelValue } from "../values/cel-value.js";

/** The list that a loop such as `map` fills: adding to it changes it, since nobody else sees it before the end. */
export class GrowingList extends CelList {
  readonly #values: CelValue[] = [];

  override get size(): number {
    return this.#values.length;
  }

  override at(index: number): CelValue {
    return this.#values[index] ?? null;
  }

  override concat(other: CelList): CelList {
    for (const value of other) {
      this.#values.push(value);
    }
    return this;
  }

  /** Returns the list as it is now, for the expression behind the loop. */
  finished(): CelList {
    return new ArrayList(this.#values);
  }
}
