import { modulePath, packageIdentifier } from "./source-text.js";

/**
 * Collects the types that a module imports from others. The imports are type-only, so loading one group-version loads
 * no other.
 */
export class TypeImports {
  readonly #from: string;
  readonly #taken: Set<string>;
  readonly #modules = new Map<string, Map<string, string>>();

  constructor(from: string, localNames: Iterable<string>) {
    this.#from = from;
    this.#taken = new Set(localNames);
  }

  /** Returns the local name of a type of another package, and adds its import. */
  use(packageName: string, type: string): string {
    const names = this.#modules.get(packageName) ?? new Map<string, string>();
    this.#modules.set(packageName, names);
    const known = names.get(type);
    if (known !== undefined) {
      return known;
    }
    const identifier = packageIdentifier(packageName);
    const alias = this.#taken.has(type)
      ? `${identifier.charAt(0).toUpperCase()}${identifier.slice(1)}${type}`
      : type;
    this.#taken.add(alias);
    names.set(type, alias);
    return alias;
  }

  /** Returns the import declarations, sorted. */
  toString(): string {
    return [...this.#modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([packageName, names]) => {
        const list = [...names]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([type, alias]) => (type === alias ? type : `${type} as ${alias}`));
        return `import type { ${list.join(", ")} } from "${modulePath(this.#from, packageName)}";\n`;
      })
      .join("");
  }
}
