import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { findCommand, isExecutable } from "../../src/exec/find-command.js";

const notCapable = () => {
  throw new Error('Requires sys access to "uid", run again with the --allow-sys flag');
};

/** Creates an executable file, one that is not executable, and a folder. */
async function files(dir: string) {
  const [program, text, inner] = ["program", "text", "inner"].map((name) => join(dir, name));
  await writeFile(program as string, "");
  await writeFile(text as string, "");
  await mkdir(inner as string);
  await chmod(program as string, 0o711);
  await chmod(text as string, 0o644);
  return [program, text, inner, join(dir, "absent")] as string[];
}

describe("looking up the program of a plugin", () => {
  test("finds a file that this process may execute", async () => {
    await using dir = await folder();
    const paths = await files(dir.path);
    expect(await Promise.all(paths.map((path) => isExecutable(path)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await findCommand("program", { PATH: dir.path })).toBe(paths[0]);
  });

  test("uses the file mode where Deno denies the user ID and access() would end the process", async () => {
    await using dir = await folder();
    const permissions = { getuid: notCapable, access: () => expect.fail("access() was called") };
    const found = (await files(dir.path)).map((path) => isExecutable(path, permissions));
    expect(await Promise.all(found)).toEqual([true, false, false, false]);
  });

  test("finds nothing when access() fails", async () => {
    await using dir = await folder();
    const [program = ""] = await files(dir.path);
    for (const access of [notCapable, () => Promise.reject(new Error("EACCES"))]) {
      expect(await isExecutable(program, { access })).toBe(false);
    }
  });
});
