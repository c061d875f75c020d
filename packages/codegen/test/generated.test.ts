import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readFacts } from "../src/facts.js";
import { rulesDeclaredUpstream } from "../src/field-rules-module.js";
import { differences, readFolder, writeFolders } from "../src/folder.js";
import { generatedFolders, modules } from "../src/modules.js";

const packages = join(import.meta.dirname, "../..");
const facts = readFacts(join(packages, "codegen/facts"));

describe("generated files", () => {
  test("match the committed facts", () => {
    const committed = generatedFolders.flatMap((folder) => [...readFolder(packages, folder)]);
    expect(differences(modules(facts), new Map(committed))).toEqual([]);
  });

  test("are identical on every run", () => {
    expect(differences(modules(facts), modules(facts))).toEqual([]);
  });

  test("have no rule of hand-written code that upstream declares by now", () => {
    expect(rulesDeclaredUpstream(facts)).toEqual([]);
  });

  test("contain no upstream prose and no local paths", () => {
    for (const [path, text] of modules(facts)) {
      expect(text, path).not.toMatch(/\/(root|home|Users)\/|More info|specifies|go\/pkg\/mod/);
    }
  });
});

describe("folders", () => {
  const base = mkdtempSync(join(tmpdir(), "typekube-folder-"));
  afterAll(() => rmSync(base, { recursive: true }));

  test("hold exactly the given files after a write", () => {
    writeFolders(
      base,
      ["out"],
      new Map([
        ["out/a/v1.ts", "1"],
        ["out/b.ts", "2"],
      ]),
    );
    writeFolders(base, ["out"], new Map([["out/a/v1.ts", "3"]]));
    expect(readFolder(base, "out")).toEqual(new Map([["out/a/v1.ts", "3"]]));
    expect(differences(readFolder(base, "out"), new Map([["out/c.ts", ""]]))).toEqual([
      "out/a/v1.ts",
      "out/c.ts",
    ]);
    expect(readFolder(base, "missing")).toEqual(new Map());
  });
});
