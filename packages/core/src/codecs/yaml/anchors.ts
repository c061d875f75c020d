import { YamlProblem } from "./yaml-problem.js";

/** Limits of the aliases in a document. */
export interface AliasLimits {
  /** Number of aliases in one document. */
  readonly maxYamlAliases: number;
  /** Number of bytes by which the aliases may enlarge it. */
  readonly maxObjectBytes: number;
}

/** A value with its size and depth. */
export interface Node {
  readonly value: unknown;
  /** Approximate number of bytes that it takes with its contents, as text or in memory. */
  readonly size: number;
  /** Nesting depth; 0 for a scalar. */
  readonly height: number;
}

/** Holds the anchors of one document. */
export class Anchors {
  readonly #limits: AliasLimits;
  /** Values by anchor; `undefined` while a value is being read. */
  readonly #nodes = new Map<string, Node | undefined>();
  #aliases = 0;
  #grownBytes = 0;

  constructor(limits: AliasLimits) {
    this.#limits = limits;
  }

  /** Begins the value of an anchor. An empty name stands for no anchor. */
  begin(name: string): void {
    if (name !== "") {
      this.#nodes.set(name, undefined);
    }
  }

  /** Sets the value of an anchor once it is read. A node inside of it that reused the name came later and keeps it. */
  set(name: string, { value, size, height }: Node): void {
    if (name !== "" && this.#nodes.get(name) === undefined) {
      this.#nodes.set(name, { value, size, height });
    }
  }

  /**
   * Returns the value of an alias. Its size was counted when the value was read, so a document that would grow without
   * end is rejected before it grows.
   *
   * @param offset - position of the alias.
   * @throws {YamlProblem} for an unknown anchor, an anchor that contains itself, and beyond a limit.
   */
  resolve(name: string, offset: number): Node {
    const { maxYamlAliases, maxObjectBytes } = this.#limits;
    const node = this.#nodes.get(name);
    if (node === undefined) {
      const isOpen = this.#nodes.has(name);
      const reason = isOpen ? "an anchor contains itself" : "an alias refers to an unknown anchor";
      throw new YamlProblem(reason, offset);
    }
    if (++this.#aliases > maxYamlAliases) {
      const reason = `has more aliases than maxYamlAliases (${maxYamlAliases})`;
      throw new YamlProblem(reason, offset, "maxYamlAliases");
    }
    this.#grownBytes += node.size;
    if (this.#grownBytes > maxObjectBytes) {
      const reason = `grows through aliases by more than maxObjectBytes (${maxObjectBytes} bytes)`;
      throw new YamlProblem(reason, offset, "maxObjectBytes");
    }
    return node;
  }
}
