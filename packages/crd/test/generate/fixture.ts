import { readFile } from "node:fs/promises";
import type { DefinitionText } from "../../src/generate/index.js";

/** Reads a file of the folder `fixtures`. */
export async function fixture(name: string): Promise<DefinitionText> {
  return { name, text: await readFile(new URL(`fixtures/${name}`, import.meta.url), "utf8") };
}

/** Returns a definition as YAML: one version with a schema, or as the overrides say. */
export function definition({
  kind = "Widget",
  plural = `${kind.toLowerCase()}s`,
  group = "example.com",
  version = "v1",
  schema = { type: "object" } as object,
  apiVersion = "apiextensions.k8s.io/v1",
  served = true,
  more = {} as object,
  spec = {} as object,
} = {}): string {
  return JSON.stringify({
    apiVersion,
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural },
      versions: [
        { name: version, served, storage: true, schema: { openAPIV3Schema: schema }, ...more },
      ],
      ...spec,
    },
  });
}
