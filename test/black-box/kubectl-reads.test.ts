import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseManifests } from "@typekube/core";
import { flowCollections } from "@typekube/test-support/flow-collections";
import { kubectlReads, withLabel } from "@typekube/test-support/kubectl";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const head = "apiVersion: example.io/v1\nkind: Sample\nmetadata: {name: a}\n";
const json = JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "a} {" } });
const others: readonly (readonly [string, string])[] = [
  ["a block scalar that ends the file", `${head}a: |\n  x`],
  ["a folded one", `${head}a: >\n  x`],
  ["one that keeps its line breaks", `${head}a: |+\n  x`],
  ["one that strips them", `${head}a: |-\n  x`],
  ["a key twice", `${head}a: {p: 1, p: 2}\n`],
  ["!!binary", `${head}a: !!binary aGk=\nb: !!binary |\n  aP/w\n  kIBi\n!!binary aw==: 1\n`],
  [
    "keys that are numbers",
    `${head}a: {+.Inf: 2, -.inf: 3, .nan: 4, 18446744073709551616: 6, 1.10: 7}\n`,
  ],
  [
    "<< with a tag",
    `${head}a: {! <<: {b: 1}}\nb: {!!merge <<: {b: 1}}\nc: {!<tag:yaml.org,2002:str> <<: 1}\n`,
  ],
  ["JSON with U+2028", `${json.slice(0, -1)},"a":" \u2028 \u0085 "}`],
  ["JSON objects in a row", json + json],
  ["JSON objects, one a line", `${json}\n${json}\n`],
  ["a byte order mark in front of a later document", `${head}---\n\ufeff# c\n${head}`],
];

const isThere = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!isThere) {
  console.warn("SKIPPED: manifests that kubectl reads; there is no kubectl here");
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubectl-reads-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(!isThere)("manifests that kubectl reads as we do", () => {
  it.each([...flowCollections.map(([title, yaml]) => [title, head + yaml] as const), ...others])(
    "kubectl reads the same objects: %s",
    async (_, text) => {
      const path = join(folder, "manifest.yaml");
      await writeFile(path, text);
      const objects = await parseManifests(text, { duplicateKeys: "last" });
      expect(objects).not.toHaveLength(0);
      const read = { objects: objects.map(withLabel), error: "" };
      expect(await kubectlReads([path])).toEqual(read);
    },
  );
});
