import { readFile } from "node:fs/promises";
import { generate, readDefinitions } from "@typekube/crd/generate";
import { type PageExample, pageExamples } from "./page-examples.js";

/** Pages whose first example precedes the others, with the examples that stand alone. */
const begun: Readonly<Record<string, readonly string[]>> = {
  "embedded-server.md": [
    "listen()",
    "Users and rights",
    "Containers",
    "Containers in memory",
    "Control",
    "vitest",
  ],
  "from-client-go.md": [],
  "from-client-node.md": [],
  "manifests.md": [],
  "writing.md": [],
};

/** Examples that also continue another example. */
const after: Readonly<Record<string, string>> = { "manifests.md: Failures 2": "Failures 1" };

/**
 * Returns the examples of a page as programs, each after the code that it continues. An example that precedes the
 * others is not returned itself.
 */
export async function wholeExamples(page: string): Promise<PageExample[]> {
  const examples = await pageExamples(page);
  const standalone = begun[page];
  if (standalone === undefined) {
    return examples;
  }
  const [beginning, ...rest] = examples;
  return rest.map(({ title, code }) => {
    const before = rest.find((one) => one.title === after[`${page}: ${title}`])?.code ?? "";
    const whole = standalone.includes(title) ? code : `${beginning?.code}${before}${code}`;
    return { title, code: whole };
  });
}

/** Returns modules that examples import, by file name. */
export async function besideExamples(): Promise<Readonly<Record<string, string>>> {
  const example = await readFile(
    new URL("../../../examples/test-an-operator.ts", import.meta.url),
    "utf8",
  );
  const [imports = "", operator = ""] = example.split("/** The code under test");
  return {
    "generated/garden.example.com/v1.ts": await generatedPlant(),
    "operator.ts":
      `${imports}\n/** The code under test${operator.split("\n);\n")[0]}\n);\n`.replace(
        "const shops =",
        "export const shops =",
      ),
    "pod-maker.ts": podMaker,
  };
}

/** Generates the module that the page about generated types imports. */
async function generatedPlant(): Promise<string> {
  const page = await readFile(new URL("../../../docs/generate.md", import.meta.url), "utf8");
  const text = /^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "";
  const { files } = generate([await readDefinitions([{ name: "plant.yaml", text }])]);
  return files.get("garden.example.com/v1.ts") ?? "";
}

/** An operator that needs two permissions, and a role that grants them. */
const podMaker = `
import type { Client } from "typekube";
import { ConfigMap, Pod } from "typekube/api/core/v1";

export async function makePods(client: Client): Promise<void> {
  const { items } = await client.resource(ConfigMap, "default").list();
  const spec = { containers: [{ name: "main", image: "shop:1" }] };
  for (const { metadata } of items) {
    await client.resource(Pod, "default").create({ metadata: { name: metadata.name }, spec });
  }
}

export const clusterRole = {
  rules: [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["list"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["create"] },
  ],
};
`;
