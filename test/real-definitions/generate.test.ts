import { expect, test } from "vitest";
import { compareKinds, generate, readDefinitions } from "../../packages/crd/src/generate/index.js";
import { compile } from "../../packages/crd/test/generate/compile.js";
import { readModules } from "./read-modules.js";

const { texts, missing } = await readModules();
for (const one of missing) {
  console.log(`real definitions: without ${one}`);
}
const enough = texts.length >= 300;
if (!enough) {
  console.log(
    `SKIPPED types of real definitions: ${texts.length} of 300 found; Go and its module proxy are needed`,
  );
}

test.runIf(enough)(
  "GT9, GT36: the types of 300 definitions of real projects compile without edits",
  async () => {
    const read = await readDefinitions(texts);
    const { files, kinds, problems } = generate([read], { unserved: true });
    expect(problems).toEqual([]);
    expect(compareKinds(kinds, kinds)).toEqual([]);
    const lines = [...files.values()].reduce((sum, text) => sum + text.split("\n").length, 0);
    console.log(
      `types of ${texts.length} definitions: ${kinds.length} kinds in ${files.size} modules, ${lines} lines`,
    );
    expect(await compile(files)).toBe("");
    const again = generate([await readDefinitions([...texts].reverse())], { unserved: true });
    expect([...again.files].every(([path, text]) => files.get(path) === text)).toBe(true);
    expect(again.files.size).toBe(files.size);
  },
);

test.runIf(enough)(
  "GT34: the JSON Schemas of real definitions are files that can be read",
  async () => {
    const { files, problems } = generate([await readDefinitions(texts)], { schemas: "json" });
    expect(problems).toEqual([]);
    for (const [path, text] of files) {
      if (path.endsWith(".json")) {
        expect(() => JSON.parse(text)).not.toThrow();
      }
    }
  },
);
