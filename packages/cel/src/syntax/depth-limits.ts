/** Deepest nesting of expressions, relations, sums and members, each for itself; cel-go's default. */
export const maxDepth = 250;

/** Thrown when an expression nests too deeply; the parser turns it into a problem of the whole expression. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** Counts how deeply the rules of the grammar nest while an expression is parsed. */
export class DepthCounter {
  #depth = 0;

  /** Enters a rule; the caller leaves it. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw new TooDeep(`expression recursion limit exceeded: ${maxDepth}`);
    }
  }

  /** Leaves a rule that was entered `times` times. */
  leave(times = 1): void {
    this.#depth -= times;
  }
}
