import { execFile } from "node:child_process";
import { chmod, link, mkdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { type FilePodOptions, filePod, treeOf } from "./file-pod.js";

/** Writes files into a folder; `null` is a directory. */
async function put(folder: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    await mkdir(content === null ? full : dirname(full), { recursive: true });
    if (content !== null) {
      await writeFile(full, content);
    }
  }
}

const tree = { "dir/a.txt": "a", "dir/sub/b.txt": "bb", "dir/empty": null, "one.txt": "1" };

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
          if (program === "tar") {
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
    await using one = await filePod();
    await put(one.local, { big: "x".repeat(20_000_000) });
    const error = await failure(one.pod.copyTo(join(one.local, "big"), "no/such/place"));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toContain("No such file or directory");
  });

  it("XC1: a local path that does not exist is refused before anything is sent", async () => {
    await using one = await filePod();
    const error = await failure(one.pod.copyTo(join(one.local, "nothing"), "to"));
    expect(error).toMatchObject({ code: "InvalidArgument" });
    expect(one.container.commands).toEqual([]);
  });
});

describe("a server with version 4 of the protocol, which cannot end the input", () => {
  const v4: FilePodOptions = { protocol: "v4" };

  it("XC4: the input is bounded by head", async () => {
    await using one = await filePod(v4);
    await put(one.local, tree);
    await one.pod.copyTo(join(one.local, "dir"), "it's", { compress: true });
    expect((await treeOf(one.container.folder))["it's/sub/b.txt"]).toBe("bb");
    await one.pod.writeFile("file", "text");
    expect(await one.pod.readFile("file", { output: "text" })).toBe("text");
    await one.pod.copyFrom("it's", join(one.local, "back"));
    expect((await treeOf(join(one.local, "back")))["sub/b.txt"]).toBe("bb");
  });

  it("XC4: without a shell there the error says so", async () => {
    await using one = await filePod({ ...v4, lacks: ["sh"] });
    await put(one.local, tree);
    const error = await failure(one.pod.copyTo(join(one.local, "dir"), "to"));
    expect(error).toMatchObject({ code: "CommandFailed", rawMessage: "the container has no sh" });
  });
});

describe("a container without tar", () => {
  it("XC2: single files are copied by cat, in both directions", async () => {
    await using one = await filePod({ lacks: ["tar"] });
    await put(one.local, { "run.sh": "echo" });
    await chmod(join(one.local, "run.sh"), 0o755);
    expect(await one.pod.copyTo(join(one.local, "run.sh"), "-x y")).toMatchObject({ files: 1 });
    expect(((await stat(join(one.container.folder, "-x y"))).mode & 0o777).toString(8)).toBe("755");
    expect(await one.pod.copyFrom("-x y", join(one.local, "back"))).toEqual({
      files: 1,
      bytes: 4,
      skipped: [],
    });
    expect(await readFile(join(one.local, "back"), "utf8")).toBe("echo");
  });

  it("XC2: a directory is an error that names what is missing", async () => {
    await using one = await filePod({ lacks: ["tar"] });
    await put(one.local, tree);
    await put(one.container.folder, { "there/x": "x" });
    const to = await failure(one.pod.copyTo(join(one.local, "dir"), "to"));
    expect(to).toMatchObject({ code: "CommandFailed", rawMessage: "the container has no tar" });
    const from = await failure(one.pod.copyFrom("there", join(one.local, "from")));
    expect(from.rawMessage).toContain("the container has no tar, without which only single files");
  });

  it("XC2: a container without anything says that it has no tar", async () => {
    await using one = await filePod({ lacks: ["tar", "cat", "sh", "test", "rm"] });
    await put(one.local, { "one.txt": "1" });
    const calls = [
      () => one.pod.copyFrom("x", join(one.local, "x")),
      () => one.pod.copyTo(join(one.local, "one.txt"), "x"),
    ];
    for (const call of calls) {
      expect((await failure(call())).rawMessage).toBe("the container has no tar");
    }
    expect((await failure(one.pod.readFile("x"))).rawMessage).toBe("the container has no cat");
    expect((await failure(one.pod.writeFile("x", ""))).rawMessage).toBe("the container has no sh");
  });
});

describe("readFile and writeFile", () => {
  it("XC14: writes with a mode, replaces atomically, and reads bytes or text", async () => {
    await using one = await filePod();
    await one.pod.writeFile("-a b", "ä first", { mode: 0o600 });
    expect(await one.pod.readFile("-a b", { output: "text" })).toBe("ä first");
    expect((await stat(join(one.container.folder, "-a b"))).mode & 0o777).toBe(0o600);
    await one.pod.writeFile("-a b", Buffer.from([0, 255, 10]));
    expect(await one.pod.readFile("-a b")).toEqual(Buffer.from([0, 255, 10]));
    expect(Object.keys(await treeOf(one.container.folder))).toEqual(["-a b"]);
    expect((await stat(join(one.container.folder, "-a b"))).mode & 0o777).toBe(0o644);
  });

  it("XC14: a directory, a missing file and limits are errors, and nothing is left behind", async () => {
    await using one = await filePod();
    await put(one.container.folder, { dir: null, big: "x".repeat(1000) });
    expect(await failure(one.pod.writeFile("dir", "x"))).toMatchObject({ code: "InvalidArgument" });
    expect(await failure(one.pod.writeFile("x/y", "x"))).toMatchObject({ code: "CommandFailed" });
    const missing = await failure(one.pod.readFile("nothing"));
    expect(missing).toMatchObject({ code: "CommandFailed" });
    expect(missing.message).toContain("No such file");
    for (const call of [
      () => one.pod.readFile("big", { maxBytes: 999 }),
      () => one.pod.writeFile("big", "x".repeat(1000), { maxBytes: 999 }),
    ]) {
      expect(await failure(call())).toMatchObject({ code: "TooLarge" });
    }
    expect(Object.keys(await treeOf(one.container.folder))).toEqual(["big", "dir"]);
  });

  it("XC14: a write whose input was cut leaves the old content", async () => {
    await using one = await filePod({
      instead: async ({ command, stdin }) => {
        if (command[2]?.includes("cat >") === true) {
          for await (const _chunk of stdin) {
            return 0;
          }
        }
        return undefined;
      },
    });
    await put(one.container.folder, { file: "old" });
    const error = await failure(one.pod.writeFile("file", "new"));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(await treeOf(one.container.folder)).toEqual({ file: "old" });
  });
});

describe("arguments", () => {
  it("paths that are empty or have a NUL, and unknown options are refused", async () => {
    await using one = await filePod();
    for (const call of [
      () => one.pod.copyFrom("", one.local),
      () => one.pod.copyFrom("x\0", one.local),
      () => one.pod.copyTo(one.local, ""),
      () => one.pod.readFile(""),
      () => one.pod.writeFile("x", 5 as never),
      () => one.pod.writeFile("x", "", { mode: 0o10000 }),
      () => one.pod.copyFrom("x", one.local, { symlink: "keep" } as never),
      () => one.pod.copyFrom("x", one.local, { retries: -1 }),
    ]) {
      expect(await failure(call())).toMatchObject({ code: "InvalidArgument" });
    }
    expect(one.container.commands).toEqual([]);
  });
});
