import type { Estimate } from "../functions/estimate.js";
import type { EntrySizes } from "./entry-sizes.js";

/** A variable of a comprehension: where its value comes from, and the sizes that are known of it. */
export interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Variables of the comprehensions around a part of an expression; an inner one hides an outer one of its name. */
export class LocalVariables {
  readonly #variables = new Map<string, LocalVariable[]>();

  get(name: string): LocalVariable | undefined {
    return this.#variables.get(name)?.at(-1);
  }

  push(name: string, variable: LocalVariable): void {
    this.#variables.set(name, [...(this.#variables.get(name) ?? []), variable]);
  }

  pop(name: string): void {
    this.#variables.get(name)?.pop();
  }
}
