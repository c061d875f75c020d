import type { Facts, PackageFacts, ResourceFacts } from "./facts.js";
import { packageIdentifier } from "./source-text.js";

/** Writes the list of all descriptors, in discovery order. */
export function resourcesModule(facts: Facts): string {
  const imports = servedPackages(facts)
    .map((p) => `import * as ${packageIdentifier(p.name)} from "./kinds/${p.name}.js";\n`)
    .join("");
  const entries = facts.resources
    .map(
      (resource) => `  ${packageIdentifier(packageOf(facts, resource).name)}.${resource.kind},\n`,
    )
    .join("");
  return (
    `import type { ResourceDescriptor } from "../descriptor.js";\n${imports}\n` +
    `/** Every built-in resource, in the order in which discovery lists them: preferred versions first. */\n` +
    `export const builtInResources: readonly ResourceDescriptor[] = [\n${entries}];\n`
  );
}

/** Writes a map of the interfaces by group-version and kind, for code that infers a type from these two. */
export function kindMapModule(facts: Facts): string {
  const packages = servedPackages(facts);
  const imports = packages
    .map((p) => `import type * as ${packageIdentifier(p.name)} from "./kinds/${p.name}.js";\n`)
    .join("");
  const entries = packages
    .map((p) => {
      const kinds = facts.resources
        .filter((resource) => resource.apiVersion === p.apiVersion)
        .map(({ kind }) => `    ${kind}: ${packageIdentifier(p.name)}.${kind};\n`)
        .sort();
      return `  ${JSON.stringify(p.apiVersion)}: {\n${kinds.join("")}  };\n`;
    })
    .join("");
  return (
    `${imports}\n/** The interface of every built-in resource, by apiVersion and kind. */\n` +
    `export interface BuiltInKinds {\n${entries}}\n`
  );
}

function packageOf(facts: Facts, resource: ResourceFacts): PackageFacts {
  const found = facts.byApiVersion.get(resource.apiVersion);
  if (found === undefined || !facts.types.has(`${found.name}.${resource.kind}`)) {
    throw new Error(
      `discovery lists ${resource.apiVersion} ${resource.kind}, which is in no package`,
    );
  }
  return found;
}

function servedPackages(facts: Facts): PackageFacts[] {
  const served = new Set(facts.resources.map((resource) => packageOf(facts, resource)));
  return [...served].sort((a, b) => (a.name < b.name ? -1 : 1));
}
