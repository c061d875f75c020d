import { type ImportedType, importedTypes } from "../types/shape.js";
import { claimName } from "../types/type-names.js";

/** The imports of a module: those of its types that it uses, under other names where its own types have theirs. */
export class ModuleImports {
  readonly #taken: Set<string>;
  readonly #used = new Map<ImportedType, string>();

  /** @param taken - names of the module; those of the imports are added. */
  constructor(taken: Set<string>) {
    this.#taken = taken;
    // Reserved before declarations have names, so that an import that is added later renames nothing.
    this.#names = new Map(
      (Object.keys(importedTypes) as ImportedType[]).map((name) => [
        name,
        claimName([name], this.#taken),
      ]),
    );
  }

  readonly #names: ReadonlyMap<ImportedType, string>;

  /** Returns the local name of a type, which the module then imports. */
  use(name: ImportedType): string {
    const local = this.#names.get(name) ?? name;
    this.#used.set(name, local);
    return local;
  }

  /** Returns the import declarations. */
  text(): string {
    const byModule = new Map<string, string[]>();
    for (const [name, local] of [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const from = importedTypes[name];
      const names = byModule.get(from) ?? [];
      byModule.set(from, [...names, name === local ? name : `${name} as ${local}`]);
    }
    return [...byModule]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import type { ${names.join(", ")} } from "${from}";\n`)
      .join("");
  }
}
