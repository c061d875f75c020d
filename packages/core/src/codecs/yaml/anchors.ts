import { YamlProblem } from "./yaml-problem.js";

/** What aliases may do. */
export interface AliasLimits {
  /** Aliases in one document. */
  readonly maxYamlAliases: number;
  /** Bytes by which they may make it grow. */
  readonly maxObjectBytes: number;
}

/** A value and what is known of it. */
export interface Node {
  readonly value: unknown;
  /** About the bytes that it takes with all that is in it, as text or in memory. */
  readonly size: number;
  /** How deep it nests; 0 for a scalar. */
  readonly height: number;
}

/** The anchors of one document. */
export class Anchors {
  readonly #limits: AliasLimits;
  /** `undefined` while the value is being read. */
  readonly #nodes = new Map<string, Node | undefined>();
  #aliases = 0;
  #grownBytes = 0;

  constructor(limits: AliasLimits) {
    this.#limits = limits;
  }

  /** The value of an anchor begins; one without a name is none. */
  begin(name: string): void {
    if (name !== "") {
      this.#nodes.set(name, undefined);
    }
  }

  /** The value of an anchor is read. What took its name inside of it came later, and keeps the name. */
  set(name: string, { value, size, height }: Node): void {
    if (name !== "" && this.#nodes.get(name) === undefined) {
      this.#nodes.set(name, { value, size, height });
    }
  }

  /**
   * What an alias stands for. How large it is was counted when it was read, so a document that grows without end is
   * refused before it has grown.
   *
   * @param offset - where the alias stands.
   * @throws {YamlProblem}
   */
  resolve(name: string, offset: number): Node {
    const { maxYamlAliases, maxObjectBytes } = this.#limits;
    const node = this.#nodes.get(name);
    if (node === undefined) {
      const isOpen = this.#nodes.has(name);
      const reason = isOpen
        ? "an anchor contains itself"
        : "an alias of an anchor that is not there";
      throw new YamlProblem(reason, offset);
    }
    if (++this.#aliases > maxYamlAliases) {
      const reason = `has more aliases than maxYamlAliases (${maxYamlAliases})`;
      throw new YamlProblem(reason, offset, "maxYamlAliases");
    }
    this.#grownBytes += node.size;
    if (this.#grownBytes > maxObjectBytes) {
      const reason = `grows by its aliases by more than maxObjectBytes (${maxObjectBytes} bytes)`;
      throw new YamlProblem(reason, offset, "maxObjectBytes");
    }
    return node;
  }
}
