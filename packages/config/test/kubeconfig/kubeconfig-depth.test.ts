import { join } from "node:path";
import { KubeError } from "@typekube/core";
import { failure, folder } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { hasConfigProblem, loadKubeconfig } from "../../src/index.js";
import { modifyKubeconfig } from "../../src/write/modify-kubeconfig.js";

const nested: Readonly<Record<string, (depth: number) => string>> = {
  arrays: (depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`,
  objects: (depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
  "arrays that are not closed": (depth) => "[".repeat(depth),
};

const config = (value: string) => `{"kind":"Config","apiVersion":"v1","other":${value}}`;

describe.each(Object.entries(nested))("a kubeconfig with nested %s", (_, value) => {
  test.each([20_000, 200_000])("is Malformed at depth %i, as JSON and as YAML", async (depth) => {
    await using dir = await folder();
    for (const [name, text] of [
      ["json", config(value(depth))],
      ["json-after-blanks", `\n  ${config(value(depth))}`],
      ["yaml", `kind: Config\nextensions: ${value(depth)}\n`],
      ["flow", `{kind: Config, extensions: ${value(depth)}}`],
    ] as const) {
      await dir.write(name, text);
      const path = join(dir.path, name);
      const error = await failure(loadKubeconfig({ path }));
      expect(error).toBeInstanceOf(KubeError);
      expect(hasConfigProblem(error, "Malformed"), name).toBe(true);
      const changed = modifyKubeconfig(() => {}, { path });
      expect(await failure(changed)).toBeInstanceOf(KubeError);
    }
  });
});

test("reads a JSON kubeconfig nested as deep as allowed", async () => {
  await using dir = await folder();
  const path = await dir.write("deep", config(nested["arrays"]?.(490) ?? ""));
  expect((await loadKubeconfig({ path })).files).toEqual([path]);
});
