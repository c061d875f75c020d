import type { PackageFacts } from "./facts.js";
import { propertyName } from "./source-text.js";

/** Writes a module with one dynamic import per group-version. */
export function loadersModule(
  constant: string,
  type: { readonly name: string; readonly module: string },
  packages: readonly PackageFacts[],
): string {
  const entries = packages
    .filter((p) => p.apiVersion !== "")
    .sort((a, b) => (a.apiVersion < b.apiVersion ? -1 : 1))
    .map((p) => `  ${propertyName(p.apiVersion)}: () => import("./${p.name}.js"),\n`)
    .join("");
  return (
    `import type { ${type.name} } from "../../${type.module}.js";\n\n` +
    `/** Loads the table of a group-version. */\n` +
    `export const ${constant}: Readonly<Record<string, () => Promise<{ readonly table: ${type.name} }>>> = {\n` +
    `${entries}};\n`
  );
}
