import type { BootstrapFacts } from "./server-facts.js";

/** Writes objects by kind, each kind as a function, so that objects that are never read cost nothing. */
export function bootstrapModule(
  constant: string,
  content: string,
  objects: readonly BootstrapFacts[],
): string {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const collections = kinds.map((kind) => {
    const own = objects.filter((one) => one.kind === kind);
    const apiVersion = JSON.stringify(own[0]?.apiVersion);
    const lines = own.map(({ object }) => `      ${JSON.stringify(object)},\n`);
    return (
      `  {\n    apiVersion: ${apiVersion},\n    kind: ${JSON.stringify(kind)},\n    count: ${own.length},\n` +
      `    objects: () => [\n${lines.join("")}    ],\n  },\n`
    );
  });
  return (
    `/** The ${content}. */\n` +
    `export const ${constant}: readonly {\n  readonly apiVersion: string;\n  readonly kind: string;\n` +
    `  readonly count: number;\n  readonly objects: () => readonly {\n    readonly apiVersion: string;\n` +
    `    readonly kind: string;\n    readonly metadata: { readonly name: string };\n    readonly [field: string]: unknown;\n` +
    `  }[];\n}[] = [\n${collections.join("")}];\n`
  );
}
