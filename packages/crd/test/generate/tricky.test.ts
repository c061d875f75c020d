import { expect, test } from "vitest";
import { generate, readDefinitions } from "../../src/generate/index.js";
import { compile } from "./compile.js";
import { fixture } from "./fixture.js";

async function tricky(options = {}) {
  return generate([await readDefinitions([await fixture("tricky.yaml")])], {
    generator: "typekube generate (test)",
    ...options,
  });
}

test("GT20-GT33: the types of each construct are those in test/generate/generated", async () => {
  const { files, problems, skipped } = await tricky({ unserved: true });
  expect(problems).toEqual([]);
  expect(Object.fromEntries(skipped)).toEqual({ ConfigMap: 1 });
  expect([...files.keys()]).toEqual([
    "tricky.typekube.dev/v1.ts",
    "tricky.typekube.dev/v1alpha1.ts",
    "tricky.typekube.dev/v1beta1.ts",
  ]);
  for (const [path, text] of files) {
    await expect(text).toMatchFileSnapshot(`generated/${path}`);
  }
});

test("GT6: versions that servers do not serve are left out, deprecated ones carry the server's warning", async () => {
  const { files } = await tricky();
  expect([...files.keys()]).toEqual([
    "tricky.typekube.dev/v1.ts",
    "tricky.typekube.dev/v1beta1.ts",
  ]);
  const warning = " @deprecated tricky.typekube.dev/v1beta1 Gadget goes away; use v1 ";
  expect(files.get("tricky.typekube.dev/v1beta1.ts")?.split(warning)).toHaveLength(3);
});

test("GT36, GT37: generated modules compile under strict settings of users, without edits", async () => {
  const { files } = await tricky({ unserved: true });
  expect(await compile(files)).toBe("");
});

test("GT20: the compiler reports a module whose comment ends early, so the test above can fail", async () => {
  const { files } = await tricky();
  const broken = [...files].map(([path, text]) => [path, text.replaceAll("*\\/", "*/")] as const);
  expect(await compile(new Map(broken))).toMatch(/error TS/);
});

test("GT30: --int64 bigint types integers of 64 bits as clients decode them", async () => {
  const { files } = await tricky({ int64: "bigint" });
  const text = files.get("tricky.typekube.dev/v1.ts") ?? "";
  expect(text).toContain("limit?: bigint | number | undefined;");
  expect(text).toContain("replicas?: number | undefined;");
  expect(text).toContain("matrix?: (bigint | number | null)[][] | undefined;");
  expect(await compile(files)).toBe("");
});

test("GT8: the same definitions give the same bytes in any order, other definitions another hash", async () => {
  const { text, name } = await fixture("tricky.yaml");
  const reversed = text
    .split(/^---$/m)
    .reverse()
    .map((document) => document.replace(/^---/, ""))
    .join("\n---\n");
  const first = await tricky();
  const second = generate([await readDefinitions([{ name: "other.yaml", text: reversed }])], {
    generator: "typekube generate (test)",
  });
  expect([...second.files]).toEqual([...first.files]);
  const changed = text.replace("maximum: 10", "maximum: 11");
  const third = generate([await readDefinitions([{ name, text: changed }])]);
  const headOf = (files: ReadonlyMap<string, string>) =>
    /sha256:\w+/.exec(files.get("tricky.typekube.dev/v1.ts") ?? "")?.[0];
  expect(headOf(third.files)).not.toBe(headOf(first.files));
});

test("GT34: modules with types have no code but descriptors and facts, and import types only", async () => {
  const { files } = await tricky();
  for (const text of files.values()) {
    const statements = text.match(/^(?:import|export|const|let|function|class).*/gm) ?? [];
    const imports = statements.filter((line) => line.startsWith("import"));
    expect(imports.every((line) => /^import type .* from "typekube[/\w]*";$/.test(line))).toBe(
      true,
    );
    const values = statements.filter((line) => /^export (?!interface|type )/.test(line));
    const isData = /^export const (?:\w+: ResourceDescriptor<|\w+Facts = \{$)/;
    expect(values.every((line) => isData.test(line))).toBe(true);
  }
});
