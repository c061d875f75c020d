import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseManifests } from "typekube";
import { expect, test } from "vitest";
import { runCommand } from "../src/command/run-command.js";

const folder = fileURLToPath(new URL("../../../examples/operator/", import.meta.url));

/** Runs `typekube` in the folder of the example. */
async function typekube(...args: string[]) {
  let out = "";
  let err = "";
  const code = await runCommand(args, {
    folder,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

test("CW22: typekube rbac prints the roles of the operator example, as its manifest has them", async () => {
  const options = ["--name", "shop-operator", "--lease-namespace", "shop-operator"];
  const { code, out } = await typekube("rbac", "shops.ts", ...options);
  expect(code).toBe(0);
  const manifest = await readFile(`${folder}manifests/rbac.yaml`, "utf8");
  expect(parseManifests(out)).toEqual(parseManifests(manifest));
});

test.each([
  ["no module", [], 2, /Usage: typekube rbac MODULE/],
  ["an unknown option", ["shops.ts", "--nmae", "x"], 2, /--nmae/],
  ["a module that is missing", ["missing.ts"], 1, /cannot load missing.ts/],
  ["a module without controllers", ["dns.ts"], 1, /exports no controllers/],
])("typekube rbac with %s says what is wrong", async (_, args, code, text) => {
  const result = await typekube("rbac", ...args);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(text);
});
