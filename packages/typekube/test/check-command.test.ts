import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../src/command/run-command.js";

async function typekube(folder: string, ...args: readonly string[]) {
  let [out, err] = ["", ""];
  const code = await runCommand(args, {
    folder,
    // The workspace has all packages.
    resolve: (specifier) => {
      throw new Error(`cannot find ${specifier}`);
    },
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

test("typekube --help lists check", async () => {
  expect((await typekube(tmpdir(), "--help")).out).toContain("check       check manifests");
});

test("MC84: without @typekube/apiserver the command prints the install line and exits with 2", async () => {
  const folder = await mkdtemp(join(tmpdir(), "typekube-check-"));
  try {
    expect(await typekube(folder, "check", ".")).toEqual({
      code: 2,
      out: "",
      err: "typekube check needs the package @typekube/apiserver: npm install --save-dev @typekube/apiserver\n",
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
