import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { type FilePodOptions, filePod, put, tree, treeOf } from "./file-pod.js";

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
  it("XC14: without a shell tar writes the file, and mv gives it its name", async () => {
    await using one = await filePod({ lacks: ["sh"] });
    await one.pod.writeFile("-a b", "ä first", { mode: 0o600 });
    expect(await one.pod.readFile("-a b", { output: "text" })).toBe("ä first");
    expect((await stat(join(one.container.folder, "-a b"))).mode & 0o777).toBe(0o600);
    await one.pod.writeFile("-a b", "", { mode: 0o666 });
    expect((await stat(join(one.container.folder, "-a b"))).mode & 0o777).toBe(0o666);
    expect(await treeOf(one.container.folder)).toEqual({ "-a b": "" });
    const error = await failure(one.pod.writeFile("no/such/file", "x"));
    expect(error.rawMessage).toContain("tar exited with 2");
  });

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

  it("XC14: a write whose input was cut says how many bytes came", async () => {
    await using one = await filePod({
      instead: async ({ command }) => {
        if (command[2]?.includes("cat >") === true) {
          await writeFile(join(one.container.folder, command[4] ?? ""), "n");
          return 0;
        }
        return undefined;
      },
    });
    const error = await failure(one.pod.writeFile("file", "new"));
    expect(error.message).toContain("the input was cut off: 1 of 3 bytes came");
    expect(await treeOf(one.container.folder)).toEqual({});
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
