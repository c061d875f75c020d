import { descriptor } from "./descriptors.js";
import type { Facts, PackageFacts } from "./facts.js";
import { InterfaceWriter } from "./interfaces.js";
import { TypeImports } from "./type-imports.js";

const helpers = ["KubeList", "ResourceDescriptor", "SubresourceDescriptor", "Verb"] as const;

/** Writes the module of one package: the interfaces of its types and the descriptors of its resources. */
export function kindModule(facts: Facts, of: PackageFacts): string {
  const names = of.types.map((type) => type.name);
  const imports = new TypeImports(of.name, [...names, ...helpers]);
  const writer = new InterfaceWriter(facts, of, imports);
  const parts = of.types.flatMap((type) => {
    const resource = facts.resources.find(
      (row) => row.apiVersion === of.apiVersion && row.kind === type.kind,
    );
    return [
      writer.declaration(type),
      ...(resource === undefined ? [] : [descriptor(facts, of, resource, imports)]),
    ];
  });
  const body = parts.join("\n");
  const used = helpers.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const up = "../".repeat(of.name.split("/").length + 1);
  const own =
    used.length === 0 ? "" : `import type { ${used.join(", ")} } from "${up}descriptor.js";\n`;
  const head = `${own}${imports}`;
  return head === "" ? body : `${head}\n${body}`;
}
