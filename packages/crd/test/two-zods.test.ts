import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import * as own from "zod";
import { defineResource, intOrString, listMap } from "../src/index.js";
import { immutable } from "../src/rules/index.js";

const folder = await mkdtemp(join(tmpdir(), "typekube-zod-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Loads a second copy of zod, as a program has whose package manager installed two. */
async function otherZod(): Promise<typeof own> {
  const place = join(folder, "zod");
  await cp(dirname(fileURLToPath(import.meta.resolve("zod"))), place, { recursive: true });
  return (await import(pathToFileURL(join(place, "index.js")).href)) as typeof own;
}

it("ZS15: a definition takes schemas of another copy of zod, with their metadata", async () => {
  const define = (z: typeof own) =>
    defineResource({
      group: "example.com",
      version: "v1",
      kind: "Widget",
      spec: z.object({
        size: z.int().min(1).describe("the size").meta({ example: 3 }),
        ports: listMap(["name"], z.object({ name: z.string() })).optional(),
        share: z.optional(intOrString()),
        fixed: immutable(z.enum(["a", "b"]).default("a")),
      }),
    }).crd();
  const other = await otherZod();
  expect(other.ZodObject).not.toBe(own.ZodObject);
  expect(define(other)).toEqual(define(own));
  expect(JSON.stringify(define(other))).toMatch(
    /the size.*"example":3.*x-kubernetes-list-map-keys/,
  );
});
