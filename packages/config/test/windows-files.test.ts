import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { failure, folder } from "@typekube/test-support/kubeconfig-files";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { changedText } from "../src/write/changed-text.js";
import { type FileSystem, thisFileSystem, windowsAttempts } from "../src/write/file-system.js";
import { lockFile } from "../src/write/lock-file.js";
import { writeAtomically } from "../src/write/write-atomically.js";

const refusal = (code: string) => Object.assign(new Error(code), { code });

/** Creates a file system on which an operation fails a number of times. */
function refusing(
  operation: "create" | "remove" | "rename",
  code: string,
  times: number,
  platform: NodeJS.Platform = "win32",
) {
  const waits: number[] = [];
  let attempts = 0;
  const files: FileSystem = {
    ...thisFileSystem,
    platform,
    wait: async (ms) => void waits.push(ms),
    [operation]: async (from: string, to: string) => {
      attempts += 1;
      return attempts <= times
        ? Promise.reject(refusal(code))
        : thisFileSystem[operation](from, to);
    },
  };
  return { files, waits, attempts: () => attempts };
}

const codes = ["EACCES", "EBUSY", "EPERM"];

describe("replacing a file on Windows", () => {
  test.each(codes)("retries %s while another program holds the file", async (code) => {
    await using dir = await folder();
    const path = await dir.write("config", "old");
    const { files, waits } = refusing("rename", code, 5);
    await writeAtomically(path, "new", files);
    expect(await readFile(path, "utf8")).toBe("new");
    expect(waits).toEqual([10, 20, 40, 80, 100]);
    expect((await readdir(dir.path)).sort()).toEqual(["config"]);
  });

  test.each(codes)(
    "reports a persistent %s, keeps the old file and leaves no temporary file",
    async (code) => {
      await using dir = await folder();
      const path = await dir.write("config", "old");
      const { files, attempts } = refusing("rename", code, Number.POSITIVE_INFINITY);
      const error = await failure(writeAtomically(path, "new", files));
      expect(error.message).toContain(`cannot be written (${code})`);
      expect(error.message).toContain("open in another program");
      expect(attempts()).toBe(windowsAttempts);
      expect(await readFile(path, "utf8")).toBe("old");
      expect((await readdir(dir.path)).sort()).toEqual(["config"]);
    },
  );

  test("removes the temporary file with the secrets once a virus scanner releases it", async () => {
    await using dir = await folder();
    const path = await dir.write("config", "old");
    const refused = refusing("rename", "EPERM", Number.POSITIVE_INFINITY).files;
    const { remove } = refusing("remove", "EBUSY", 4).files;
    await failure(writeAtomically(path, "new", { ...refused, remove }));
    expect((await readdir(dir.path)).sort()).toEqual(["config"]);
  });

  test("other errors, and the same ones on other platforms, are final after one attempt", async () => {
    await using dir = await folder();
    const path = await dir.write("config", "old");
    for (const [code, platform] of [
      ["ENOSPC", "win32"],
      ["EPERM", "linux"],
      ["EACCES", "darwin"],
    ] as const) {
      const { files, attempts } = refusing("rename", code, 1, platform);
      await failure(writeAtomically(path, "new", files));
      expect(attempts()).toBe(1);
    }
  });
});

describe("the lock file on Windows", () => {
  test.each(codes)("retries %s while another process removes its lock", async (code) => {
    await using dir = await folder();
    const path = await dir.write("config", "");
    const unlock = await lockFile(path, refusing("create", code, 3).files);
    expect((await readdir(dir.path)).sort()).toEqual(["config", "config.lock"]);
    await unlock();
    expect((await readdir(dir.path)).sort()).toEqual(["config"]);
  });

  test.each(codes)("reports a persistent %s, and never continues without a lock", async (code) => {
    await using dir = await folder();
    const path = await dir.write("config", "");
    const { files } = refusing("create", code, Number.POSITIVE_INFINITY);
    expect((await failure(lockFile(path, files))).message).toContain(`cannot be locked (${code})`);
  });

  test("a held lock is reported at once", async () => {
    await using dir = await folder();
    const path = await dir.write("config", "");
    await writeFile(`${path}.lock`, "");
    const { files, waits } = refusing("create", "EPERM", 0);
    expect((await failure(lockFile(path, files))).message).toContain("config.lock");
    expect(waits).toEqual([]);
    await rm(`${path}.lock`);
  });

  test("removes a lock once a virus scanner releases it", async () => {
    await using dir = await folder();
    const path = await dir.write("config", "");
    const unlock = await lockFile(path, refusing("remove", "EBUSY", 4).files);
    await unlock();
    expect((await readdir(dir.path)).sort()).toEqual(["config"]);
  });

  test("on other platforms a folder without write permission needs no lock", async () => {
    const { files } = refusing("create", "EACCES", 1, "linux");
    await using dir = await folder();
    await (await lockFile(await dir.write("config", ""), files))();
  });
});

describe("keeping CRLF line breaks", () => {
  const before = { clusters: [{ name: "a", cluster: { server: "https://a" } }], users: [] };
  const after = {
    clusters: [
      { name: "a", cluster: { server: "https://b", "certificate-authority-data": "x\ny\n" } },
    ],
    users: [{ name: "u", user: {} }],
    "current-context": "c",
  };
  const crlf = (text: string) => text.replaceAll("\n", "\r\n");

  test.each([
    ["JSON", JSON.stringify(before, null, 2)],
    ["JSON with a final line break", `${JSON.stringify(before, null, 2)}\n`],
    ["YAML", "clusters:\n- name: a # first\n  cluster:\n    server: https://a\nusers: []\n"],
    [
      "YAML that is formatted again",
      "clusters: [{name: a, cluster: {server: https://a}}]\nusers: []\n",
    ],
    [
      "YAML without a final line break",
      "users: []\nclusters:\n- name: a\n  cluster: {server: https://a}",
    ],
  ])("a changed kubeconfig keeps its CRLF line breaks: %s", async (_name, text) => {
    const unix = await changedText(text, before, after, "config");
    const windows = await changedText(crlf(text), before, after, "config");
    expect(unix).not.toContain("\r");
    expect(windows).toBe(crlf(unix));
    expect(load(windows)).toEqual(after);
  });
});
