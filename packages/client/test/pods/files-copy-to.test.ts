import { chmod, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { filePod, put, tree, treeOf } from "./file-pod.js";

describe("copyTo", () => {
  it.each([
    ["a file to a new name", "one.txt", "new.txt", { "new.txt": "1" }],
    ["a file into a directory", "one.txt", "into", { into: null, "into/one.txt": "1" }],
    [
      "a file into a directory with a slash",
      "one.txt",
      "into/",
      { into: null, "into/one.txt": "1" },
    ],
    [
      "a directory to a new name",
      "dir",
      "new",
      { new: null, "new/a.txt": "a", "new/empty": null, "new/sub": null, "new/sub/b.txt": "bb" },
    ],
    [
      "a directory into a directory",
      "dir",
      "into",
      {
        into: null,
        "into/dir": null,
        "into/dir/a.txt": "a",
        "into/dir/empty": null,
        "into/dir/sub": null,
        "into/dir/sub/b.txt": "bb",
      },
    ],
    [
      "the contents of a directory into a directory",
      "dir/.",
      "into",
      {
        into: null,
        "into/a.txt": "a",
        "into/empty": null,
        "into/sub": null,
        "into/sub/b.txt": "bb",
      },
    ],
  ])("XC1: copies %s", async (_what, from, remote, expected) => {
    await using one = await filePod();
    await put(one.local, tree);
    if (remote.startsWith("into")) {
      await put(one.container.folder, { into: null });
    }
    const files = from === "one.txt" ? 1 : 2;
    expect(await one.pod.copyTo(`${one.local}/${from}`, remote)).toEqual({
      files,
      bytes: files === 1 ? 1 : 3,
      skipped: [],
    });
    expect(await treeOf(one.container.folder)).toEqual(expected);
  });

  it("XC3: writes to absolute paths, and to names with spaces, a leading dash and Unicode", async () => {
    await using one = await filePod();
    await put(one.local, { "x.txt": "x" });
    const names = ["-rf", "a b", "it's $(x)", "日本 ä.txt", "n".repeat(200)];
    for (const name of names) {
      await one.pod.copyTo(join(one.local, "x.txt"), name);
      await one.pod.copyTo(join(one.local, "x.txt"), join(one.container.folder, `2${name}`));
    }
    const found = Object.keys(await treeOf(one.container.folder));
    expect(found).toEqual([...names, ...names.map((name) => `2${name}`)].sort());
  });

  it("XC11: keeps the modes of files, and times with preserve", async () => {
    await using one = await filePod();
    await put(one.local, { "dir/run.sh": "x" });
    await chmod(join(one.local, "dir"), 0o750);
    await chmod(join(one.local, "dir/run.sh"), 0o751);
    await utimes(join(one.local, "dir/run.sh"), 1_000_000_000, 1_000_000_000);
    await one.pod.copyTo(join(one.local, "dir"), "plain");
    await one.pod.copyTo(join(one.local, "dir"), "same", { preserve: true });
    const [plain, same, directory] = await Promise.all(
      ["plain/run.sh", "same/run.sh", "same"].map((name) => stat(join(one.container.folder, name))),
    );
    expect((plain?.mode ?? 0) & 0o777).toBe(0o751);
    expect(plain?.mtimeMs).toBeGreaterThan(1_500_000_000_000);
    expect([(same?.mode ?? 0) & 0o777, same?.mtimeMs]).toEqual([0o751, 1_000_000_000_000]);
    expect((directory?.mode ?? 0) & 0o777).toBe(0o750);
  });

  it("XC10, XC12: resolves when the remote tar has exited; progress has the total", async () => {
    await using one = await filePod();
    await put(one.local, { "dir/a": "", "dir/big": "x".repeat(3_000_000) });
    await symlink("big", join(one.local, "dir/link"));
    const progress: unknown[] = [];
    const result = await one.pod.copyTo(join(one.local, "dir"), "to", {
      onProgress: (step) => progress.push(step),
    });
    expect(result).toEqual({ files: 3, bytes: 3_000_000, skipped: [] });
    expect((await treeOf(one.container.folder))["to/link"]).toHaveLength(3_000_000);
    expect(progress[0]).toEqual({ file: "a", bytes: 0, total: 3_000_000 });
    expect(progress.at(-1)).toEqual({ file: "big", bytes: 3_000_000, total: 3_000_000 });
  });

  it("XC13: compresses on request", async () => {
    await using one = await filePod();
    await put(one.local, tree);
    await one.pod.copyTo(join(one.local, "dir"), "to", { compress: true });
    expect((await treeOf(one.container.folder))["to/sub/b.txt"]).toBe("bb");
    expect(one.container.commands.at(-1)?.[1]).toBe("-xmzf");
  });

  it("XC9: an error of the remote tar is thrown, also while much input is left", async () => {
    await using one = await filePod({
      instead: async ({ command, stderr }) => {
        if (command[0] !== "tar") {
          return undefined;
        }
        await stderr("tar: big: No space left on device\n");
        return 2;
      },
    });
    await put(one.local, { big: "x".repeat(20_000_000) });
    const error = await failure(one.pod.copyTo(join(one.local, "big"), "copy"));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toContain("tar exited with 2: tar: big: No space left on device");
  });

  it("XC1: a directory that does not exist in the container is an error before anything is sent", async () => {
    await using one = await filePod();
    await put(one.local, tree);
    const error = await failure(one.pod.copyTo(join(one.local, "dir"), "no/such/place"));
    expect(error).toMatchObject({
      code: "CommandFailed",
      rawMessage: 'the container has no directory "no/such"',
    });
    expect(one.container.commands.map(([program]) => program)).toEqual(["test", "test"]);
  });

  it("XC1: a local path that does not exist is refused before anything is sent", async () => {
    await using one = await filePod();
    const error = await failure(one.pod.copyTo(join(one.local, "nothing"), "to"));
    expect(error).toMatchObject({ code: "InvalidArgument" });
    expect(one.container.commands).toEqual([]);
  });
});
