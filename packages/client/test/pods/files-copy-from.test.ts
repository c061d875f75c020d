import { execFile } from "node:child_process";
import { chmod, link, readFile, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { failure } from "@typekube/test-support/failure";
import { busybox } from "@typekube/test-support/file-container";
import { describe, expect, it } from "vitest";
import { filePod, put, tree, treeOf } from "./file-pod.js";

describe("copyFrom", () => {
  it.each([
    ["a file to a new name", "one.txt", "new.txt", { "new.txt": "1" }, 1],
    ["a file to a new name in a new directory", "one.txt", "x/y", { x: null, "x/y": "1" }, 1],
    ["a file over a file", "one.txt", "old.txt", { "old.txt": "1" }, 1],
    [
      "a directory to a new name",
      "dir",
      "new",
      {
        new: null,
        "new/a.txt": "a",
        "new/empty": null,
        "new/sub": null,
        "new/sub/b.txt": "bb",
      },
      2,
    ],
    [
      "a directory by its trailing /.",
      "dir/.",
      "new",
      {
        new: null,
        "new/a.txt": "a",
        "new/empty": null,
        "new/sub": null,
        "new/sub/b.txt": "bb",
      },
      2,
    ],
  ])("XC1: copies %s", async (_what, remote, to, expected, files) => {
    await using one = await filePod();
    await put(one.container.folder, tree);
    if (to === "old.txt") {
      await put(one.local, { "old.txt": "an old content" });
    }
    const result = await one.pod.copyFrom(remote, join(one.local, to));
    expect(result).toEqual({ files, bytes: files === 1 ? 1 : 3, skipped: [] });
    expect(await treeOf(one.local)).toEqual(expected);
  });

  it("XC1: merges a directory into an existing one, and puts a file into it", async () => {
    await using one = await filePod();
    await put(one.container.folder, tree);
    await put(one.local, { "to/kept.txt": "kept", "to/a.txt": "old" });
    await one.pod.copyFrom("dir", join(one.local, "to"));
    await one.pod.copyFrom(join(one.container.folder, "one.txt"), join(one.local, "to"));
    expect(await treeOf(join(one.local, "to"))).toEqual({
      "a.txt": "a",
      empty: null,
      "kept.txt": "kept",
      "one.txt": "1",
      sub: null,
      "sub/b.txt": "bb",
    });
  });

  it("XC3: reads paths with spaces, a leading dash, .., quotes and Unicode", async () => {
    await using one = await filePod();
    const names = ["-rf", "a b", "it's $(x)", "日本 ä.txt", "--checkpoint=1", "@list", "new\nline"];
    await put(one.container.folder, Object.fromEntries(names.map((name) => [name, name])));
    for (const name of names) {
      await one.pod.copyFrom(name, one.local);
      await one.pod.copyFrom(`./${name}`, join(one.local, "second"));
      await one.pod.copyFrom(`../files/${name}`, join(one.local, "third"));
      expect(await readFile(join(one.local, "second"), "utf8")).toBe(name);
      expect(await readFile(join(one.local, "third"), "utf8")).toBe(name);
    }
    expect(Object.keys(await treeOf(one.local))).toEqual([...names, "second", "third"].sort());
  });

  it("XC9: warnings of tar are no errors; its exit code is", async () => {
    let code = 0;
    await using one = await filePod({
      instead: async ({ command, stderr }) => {
        if (command[0] === "tar") {
          await stderr("tar: Removing leading `/' from member names\n");
          return code === 0 ? undefined : code;
        }
        return undefined;
      },
    });
    await put(one.container.folder, tree);
    expect((await one.pod.copyFrom("dir", join(one.local, "x"))).files).toBe(2);
    code = 2;
    const error = await failure(one.pod.copyFrom("dir", join(one.local, "y")));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toContain("tar exited with 2: tar: Removing leading");
  });

  it("XC1: a path that does not exist is an error with tar's text, and creates nothing", async () => {
    await using one = await filePod();
    const error = await failure(one.pod.copyFrom("nothing", join(one.local, "x")));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toContain("No such file or directory");
    expect(await treeOf(one.local)).toEqual({});
  });

  it("XC11: keeps modes and times, without the set-user-ID bit", async () => {
    await using one = await filePod();
    await put(one.container.folder, { "dir/run.sh": "x", "dir/locked/file": "y" });
    const [run, locked] = ["dir/run.sh", "dir/locked"].map((name) =>
      join(one.container.folder, name),
    ) as [string, string];
    await chmod(run, 0o4751);
    await utimes(run, 1_000_000_000, 1_000_000_000);
    await chmod(locked, 0o555);
    await utimes(locked, 1_100_000_000, 1_100_000_000);
    await one.pod.copyFrom("dir", join(one.local, "to"));
    const copied = await stat(join(one.local, "to/run.sh"));
    expect([copied.mode & 0o7777, copied.mtimeMs]).toEqual([0o751, 1_000_000_000_000]);
    const directory = await stat(join(one.local, "to/locked"));
    expect([directory.mode & 0o7777, directory.mtimeMs]).toEqual([0o555, 1_100_000_000_000]);
    await chmod(join(one.local, "to/locked"), 0o755);
    await chmod(locked, 0o755);
  });

  it("XC12: reports progress, and an abort removes the partial file", async () => {
    await using one = await filePod();
    await put(one.container.folder, {
      "dir/a": "a".repeat(1000),
      "dir/big": "x".repeat(5_000_000),
    });
    const abort = new AbortController();
    const reason = new Error("enough");
    const progress: unknown[] = [];
    const copy = one.pod.copyFrom("dir", join(one.local, "to"), {
      signal: abort.signal,
      onProgress(step) {
        progress.push(step);
        if (step.file === "big") {
          abort.abort(reason);
        }
      },
    });
    await expect(copy).rejects.toBe(reason);
    expect(progress[0]).toEqual({ file: "a", bytes: 1000 });
    expect(Object.keys(await treeOf(one.local))).toEqual(["to", "to/a"]);
  });

  it("XC13: compresses on request", async () => {
    await using one = await filePod();
    await put(one.container.folder, tree);
    await one.pod.copyFrom("dir", join(one.local, "to"), { compress: true });
    expect((await treeOf(one.local))["to/sub/b.txt"]).toBe("bb");
    expect(one.container.commands.at(-1)?.[1]).toBe("-czf");
  });

  it("XC6: skips symbolic links, follows them on request, or keeps those that stay inside", async () => {
    await using one = await filePod();
    const { folder } = one.container;
    await put(folder, { "vol/..data_1/key": "secret", "outside.txt": "out" });
    await symlink("..data_1", join(folder, "vol/..data"));
    await symlink("..data/key", join(folder, "vol/key"));
    await symlink("../outside.txt", join(folder, "vol/out"));
    await symlink("/etc/hosts", join(folder, "vol/hosts"));
    const skipped = await one.pod.copyFrom("vol", join(one.local, "skip"));
    expect(skipped).toEqual({
      files: 1,
      bytes: 6,
      skipped: expect.arrayContaining([
        { file: "..data", reason: "symlink", target: "..data_1" },
        { file: "key", reason: "symlink", target: "..data/key" },
      ]),
    });
    expect(skipped.skipped).toHaveLength(4);
    await one.pod.copyFrom("vol", join(one.local, "follow"), { symlinks: "follow" });
    expect(await treeOf(join(one.local, "follow"))).toMatchObject({ key: "secret", out: "out" });
    const kept = await one.pod.copyFrom("vol", join(one.local, "keep"), { symlinks: "keep" });
    expect(kept.files).toBe(3);
    expect(kept.skipped.map(({ file }) => file).sort()).toEqual(["hosts", "out"]);
    expect(await readFile(join(one.local, "keep/key"), "utf8")).toBe("secret");
  });

  it("XC5: a hard link becomes a copy of the file that came before; FIFOs are skipped", async () => {
    await using one = await filePod();
    const { folder } = one.container;
    await put(folder, { "dir/a": "a" });
    await link(join(folder, "dir/a"), join(folder, "dir/b"));
    await promisify(execFile)("mkfifo", [join(folder, "dir/fifo")]);
    expect(await one.pod.copyFrom("dir", join(one.local, "to"))).toEqual({
      files: 2,
      bytes: 2,
      skipped: [{ file: "fifo", reason: "special" }],
    });
    expect(await treeOf(join(one.local, "to"))).toEqual({ a: "a", b: "a" });
    expect((await stat(join(one.local, "to/b"))).nlink).toBe(1);
    const tooMuch = one.pod.copyFrom("dir", join(one.local, "to"), { maxBytes: 1 });
    expect(await failure(tooMuch)).toMatchObject({ code: "TooLarge" });
  });

  it.each([
    [
      "name of more than 100 bytes",
      `${"d".repeat(70)}/${"n".repeat(60)}`,
      ["gnu", "posix", "ustar"],
    ],
    ["part of more than 100 bytes", "n".repeat(200), ["gnu", "posix"]],
    ["name of more than 255 bytes", `${"d".repeat(150)}/${"e".repeat(150)}/f`, ["gnu", "posix"]],
  ])("XC7: a %s comes whole, in GNU's format and in POSIX's", async (_what, name, formats) => {
    for (const format of formats) {
      await using one = await filePod({
        instead: async (session) => {
          const [program, ...args] = session.command;
          if (program === "tar" && busybox === undefined) {
            Object.assign(session, { command: [program, `--format=${format}`, ...args] });
          }
          return undefined;
        },
      });
      await put(one.container.folder, { [`dir/${name}`]: "content" });
      await one.pod.copyFrom("dir", join(one.local, "to"));
      expect(await readFile(join(one.local, "to", name), "utf8")).toBe("content");
    }
  });
});
