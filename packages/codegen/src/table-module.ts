import { modulePath, packageIdentifier, propertyName } from "./source-text.js";

/** Parts of a table module, for any kind of table. */
export interface TableParts {
  /** Type of the table and the hand-written module that declares it. */
  readonly type: string;
  readonly declaredIn: string;
  /** Package that the table describes. */
  readonly name: string;
  /** Packages whose tables this table refers to. */
  readonly uses: ReadonlySet<string>;
  /** The property that holds the entries, and the entries as source text. */
  readonly property: string;
  readonly entries: readonly string[];
}

/** Writes a module that exports `table`, with static imports of the tables it refers to. */
export function tableModule({
  type,
  declaredIn,
  name,
  uses,
  property,
  entries,
}: TableParts): string {
  const up = "../".repeat(name.split("/").length + 1);
  const names = [...uses].sort();
  const imports = names.map(
    (used) => `import { table as ${packageIdentifier(used)} } from "${modulePath(name, used)}";\n`,
  );
  const references = names.map((used) => {
    const identifier = packageIdentifier(used);
    return used === identifier ? used : `${propertyName(used)}: ${identifier}`;
  });
  return [
    `import type { ${type} } from "${up}${declaredIn}.js";\n`,
    ...imports,
    `\nexport const table: ${type} = {\n`,
    `  name: "${name}",\n`,
    `  imports: ${references.length === 0 ? "{}" : `{ ${references.join(", ")} }`},\n`,
    `  ${property}: {\n`,
    ...entries,
    "  },\n};\n",
  ].join("");
}
