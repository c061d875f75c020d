import { CelFailure, CelMap, type CelResult, type CelValue } from "@typekube/cel";

/** The variable `variables`: each part is evaluated when it is first read, and only then. */
export class LazyVariables extends CelMap {
  readonly #names: ReadonlySet<string>;
  readonly #evaluate: (name: string) => CelResult;
  readonly #values = new Map<string, CelResult>();

  constructor(names: ReadonlySet<string>, evaluate: (name: string) => CelResult) {
    super();
    this.#names = names;
    this.#evaluate = evaluate;
  }

  override get size(): number {
    return this.#names.size;
  }

  override find(key: CelValue): CelResult | undefined {
    if (typeof key !== "string") {
      return new CelFailure("no such overload");
    }
    if (!this.#names.has(key)) {
      return undefined;
    }
    const value = this.#values.get(key) ?? this.#evaluate(key);
    this.#values.set(key, value);
    return value;
  }

  override keys(): Iterable<string> {
    return this.#names;
  }

  override equals(other: CelMap): boolean {
    return this === other;
  }
}
