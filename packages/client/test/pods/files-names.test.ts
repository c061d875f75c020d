import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "@typekube/test-support/failure";
import { tarBytes } from "@typekube/test-support/tar-bytes";
import { describe, expect, it } from "vitest";
import { filePod, put, treeOf } from "./file-pod.js";

describe("a name whose first 100 bytes end with a slash", () => {
  // Tar archives it as "./dir/aaa...a/", cut off there, and the whole name in front of it.
  const name = `${"a".repeat(93)}/file`;

  it.each(["gnu", "posix"])("XC7: is a file, not a directory, in the format %s", async (format) => {
    await using one = await filePod({
      instead: async (session) => {
        const [program, ...args] = session.command;
        if (program === "tar" && process.env["TYPEKUBE_BUSYBOX"] === undefined) {
          Object.assign(session, { command: [program, `--format=${format}`, ...args] });
        }
        return undefined;
      },
    });
    await put(one.container.folder, { [`dir/${name}`]: "content", "dir/z": "last" });
    const { files } = await one.pod.copyFrom("dir", join(one.local, "to"));
    expect(files).toBe(2);
    expect(await treeOf(join(one.local, "to"))).toMatchObject({ [name]: "content", z: "last" });
  });
});

describe.skipIf(process.platform === "darwin" || process.platform === "win32")(
  "a local name that is not UTF-8",
  () => {
    it("XC3: is skipped with its reason, and the others are copied", async () => {
      await using one = await filePod();
      const folder = join(one.local, "dir");
      await put(folder, { "a.txt": "a", "sub/b.txt": "b", "real \ufffd": "r" });
      const bad = Buffer.concat([Buffer.from(`${folder}/sub/`), Buffer.of(0x66, 0xff, 0x66)]);
      await writeFile(bad, "lost");
      await mkdir(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xc3)]));
      const { files, skipped } = await one.pod.copyTo(folder, "to");
      expect(files).toBe(3);
      expect(skipped).toEqual([
        { file: "\ufffd", reason: "name" },
        { file: "sub/f\ufffdf", reason: "name" },
      ]);
      expect(await treeOf(join(one.container.folder, "to"))).toMatchObject({
        "a.txt": "a",
        "real \ufffd": "r",
        "sub/b.txt": "b",
      });
    });
  },
);

describe("a local link to a directory", () => {
  it.each(["link/.", "link/"])("XC1: with %s means the directory, as for cp", async (source) => {
    await using one = await filePod();
    await put(one.local, { "dir/a.txt": "a" });
    await symlink("dir", join(one.local, "link"));
    const { files } = await one.pod.copyTo(`${one.local}/${source}`, "to");
    expect(files).toBe(1);
    expect(await treeOf(join(one.container.folder, "to"))).toEqual({ "a.txt": "a" });
  });

  it("XC1: without a slash means the link", async () => {
    await using one = await filePod();
    await put(one.local, { "dir/a.txt": "a" });
    await symlink("dir", join(one.local, "link"));
    await one.pod.copyTo(join(one.local, "link"), "to");
    const [entry] = await readdir(one.container.folder, { withFileTypes: true });
    expect([entry?.name, entry?.isSymbolicLink()]).toEqual(["to", true]);
  });
});

describe("a tar that fails when its archive is complete", () => {
  it("XC9, XC11: has copied everything, with the modes of directories, and is an error", async () => {
    const archive = tarBytes([
      { name: "dir/", flag: "5", mode: 0o755 },
      { name: "dir/a.log", content: "line" },
    ]);
    await using one = await filePod({
      instead: async ({ command, stdout, stderr }) => {
        if (command[0] !== "tar") {
          return undefined;
        }
        await stdout(archive);
        await stderr("tar: ./dir/a.log: file changed as we read it");
        return 1;
      },
    });
    const target = join(one.local, "to");
    const error = await failure(one.pod.copyFrom("dir", target));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toContain("file changed as we read it");
    expect(await treeOf(target)).toEqual({ "a.log": "line" });
    expect((await stat(target)).mode & 0o777).toBe(0o755);
  });
});
