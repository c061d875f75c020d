import { mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "@typekube/test-support/failure";
import { paxContent, type TestMember, tarBytes } from "@typekube/test-support/tar-bytes";
import { describe, expect, it } from "vitest";
import { type FilePod, filePod, treeOf } from "./file-pod.js";

/** Starts a pod whose tar writes these bytes and succeeds. */
function hostilePod(archive: Uint8Array): Promise<FilePod> {
  return filePod({
    instead: async ({ command, stdout }) => {
      if (command[0] !== "tar") {
        return undefined;
      }
      await stdout(archive);
      return 0;
    },
  });
}

const file = (name: string, content = "x"): TestMember => ({ name, content });
const link = (name: string, linkName: string): TestMember => ({ name, linkName, flag: "2" });

describe("names that lead out of the target", () => {
  it.each([
    ["..", "dir/../../evil", "outside"],
    [".. as the whole name", "..", "outside"],
    [".. at the end", "dir/sub/..", "outside"],
    [".. behind the prefix", "dir/../evil", "outside"],
    ["an absolute path", "/tmp/evil", "outside"],
    ["an absolute path with the prefix", "/dir/evil", "outside"],
    ["a drive letter", "C:\\evil", "outside"],
    ["a drive letter behind the prefix", "dir/C:\\evil", "outside"],
    ["backslashes", "dir/..\\..\\evil", "outside"],
    ["backslashes in front", "\\evil", "outside"],
    ["another prefix", "other/evil", "outside"],
    ["a prefix that only begins the same", "dirty/evil", "outside"],
    ["no UTF-8", "dir/\ufffd", "name"],
  ])("XC5: %s: nothing is created, and the report names it", async (_what, name, reason) => {
    await using one = await hostilePod(tarBytes([file(name), file("dir/good")]));
    const result = await one.pod.copyFrom("dir", join(one.local, "to"));
    expect(result).toEqual({ files: 1, bytes: 1, skipped: [{ file: name, reason }] });
    expect(await treeOf(one.local)).toEqual({ to: null, "to/good": "x" });
  });

  it("XC5: names in extended headers and in the prefix field are checked, too", async () => {
    const longName = `dir/${"a/".repeat(60)}../../../evil`;
    await using one = await hostilePod(
      tarBytes([
        { name: "x", flag: "x", content: paxContent({ path: "dir/../../evil" }) },
        file("dir/good"),
        { name: "././@LongLink", flag: "L", content: `${longName}\0` },
        file("dir/good"),
        { ...file("evil"), raw: { 345: "../.." } },
      ]),
    );
    const { files, skipped } = await one.pod.copyFrom("dir", join(one.local, "to"));
    expect([files, skipped.map(({ file: name }) => name)]).toEqual([
      0,
      ["dir/../../evil", longName, "../../evil"],
    ]);
    expect(await treeOf(one.local)).toEqual({});
  });

  it("XC5: devices, FIFOs and hard links to other places are skipped", async () => {
    await using one = await hostilePod(
      tarBytes([
        { name: "dir/null", flag: "3" },
        { name: "dir/disk", flag: "4" },
        { name: "dir/fifo", flag: "6" },
        { name: "dir/volume", flag: "V" },
        { name: "dir/passwd", flag: "1", linkName: "/etc/passwd" },
        { name: "dir/up", flag: "1", linkName: "dir/../../canary" },
        { name: "dir/later", flag: "1", linkName: "dir/last" },
        file("dir/last"),
      ]),
    );
    const { files, skipped } = await one.pod.copyFrom("dir", join(one.local, "to"));
    expect(files).toBe(1);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 4 }, () => "special"),
      ...Array.from({ length: 3 }, () => "hardLink"),
    ]);
    expect(await treeOf(one.local)).toEqual({ to: null, "to/last": "x" });
  });
});

describe("symbolic links", () => {
  const outside = [
    link("dir/a", ".."),
    link("dir/b", "/etc"),
    link("dir/c", "sub/../../.."),
    link("dir/d", "../to/../.."),
    link("dir/e", ""),
    link("dir/f", "..\\.."),
    link("dir/sub/g", "../../x"),
  ];

  it("XC6: links that lead out are skipped, also with keep", async () => {
    for (const symlinks of ["skip", "keep"] as const) {
      await using one = await hostilePod(tarBytes(outside));
      const { files, skipped } = await one.pod.copyFrom("dir", join(one.local, "to"), { symlinks });
      expect([files, skipped.length]).toEqual([0, outside.length]);
    }
  });

  it("XC6: a file behind a link of the archive does not go through it", async () => {
    const archive = tarBytes([
      link("dir/in", "."),
      link("dir/out", "in/.."),
      file("dir/in/x"),
      file("dir/out/evil"),
      link("dir/deep", "in"),
      link("dir/deep/out", ".."),
    ]);
    for (const symlinks of ["skip", "keep"] as const) {
      await using one = await hostilePod(archive);
      const { files, skipped } = await one.pod.copyFrom("dir", join(one.local, "to"), { symlinks });
      const tree = await treeOf(one.local);
      expect(Object.keys(tree).filter((path) => !/^to(?:\/|$)/.test(path))).toEqual([]);
      expect(tree).toMatchObject({ "to/in/x": "x", "to/out/evil": "x" });
      expect(skipped.length).toBe(symlinks === "skip" ? 4 : 6 - files);
    }
  });

  it("XC6: two steps: a link by a name that is a link itself", async () => {
    await using one = await hostilePod(
      tarBytes([
        { name: "dir/a/b/", flag: "5" },
        link("dir/a/b/root", "../.."),
        link("dir/evil", "a/b/root/../x"),
        link("dir/fine", "a/b/root"),
      ]),
    );
    const { skipped } = await one.pod.copyFrom("dir", join(one.local, "to"), { symlinks: "keep" });
    expect(skipped).toEqual([{ file: "evil", reason: "symlink", target: "a/b/root/../x" }]);
    expect(await readlink(join(one.local, "to/fine"))).toBe("a/b/root");
  });

  it("XC6: a link of the caller that leads out is not followed, one that stays inside is", async () => {
    await using one = await hostilePod(
      tarBytes([
        file("dir/out/evil"),
        file("dir/in/good"),
        link("dir/new", "out/x"),
        file("dir/canary"),
      ]),
    );
    await mkdir(join(one.local, "to/real"), { recursive: true });
    await mkdir(join(one.local, "elsewhere"));
    await writeFile(join(one.local, "elsewhere/canary"), "alive");
    await symlink("../elsewhere", join(one.local, "to/out"));
    await symlink("real", join(one.local, "to/in"));
    await symlink("../elsewhere/canary", join(one.local, "to/canary"));
    const { skipped } = await one.pod.copyFrom("dir", join(one.local, "to"), { symlinks: "keep" });
    expect(skipped).toEqual([
      { file: "out/evil", reason: "outside" },
      { file: "new", reason: "symlink", target: "out/x" },
    ]);
    expect(await treeOf(join(one.local, "elsewhere"))).toEqual({ canary: "alive" });
    expect(await readFile(join(one.local, "to/real/good"), "utf8")).toBe("x");
    expect(await readFile(join(one.local, "to/canary"), "utf8")).toBe("x");
  });
});

describe("files in the way", () => {
  it("XC7: a member below a file is an error, and the file stays", async () => {
    await using one = await hostilePod(tarBytes([file("dir/a"), file("dir/a/b")]));
    const error = await failure(one.pod.copyFrom("dir", join(one.local, "to")));
    expect(error).toMatchObject({ code: "InvalidState" });
    expect(error.message).toContain("is a file, and a directory comes");
    expect(await treeOf(one.local)).toEqual({ to: null, "to/a": "x" });
  });

  it("XC7: a file in place of a directory is an error, and the directory stays", async () => {
    await using one = await hostilePod(tarBytes([file("dir/a/b"), file("dir/a")]));
    const error = await failure(one.pod.copyFrom("dir", join(one.local, "to")));
    expect(error.message).toContain("is a directory, and a file comes");
    expect(await treeOf(one.local)).toEqual({ to: null, "to/a": null, "to/a/b": "x" });
  });

  it("XC7: of two members with one name the later one counts", async () => {
    await using one = await hostilePod(tarBytes([file("dir/a", "1"), file("dir/a", "2")]));
    await one.pod.copyFrom("dir", join(one.local, "to"));
    expect(await treeOf(one.local)).toEqual({ to: null, "to/a": "2" });
  });

  it("XC7: names that differ only in case are two files where the file system has two", async () => {
    await using one = await hostilePod(tarBytes([file("dir/A", "1"), file("dir/a", "2")]));
    const { files, skipped } = await one.pod.copyFrom("dir", join(one.local, "to"));
    expect(files + skipped.length).toBe(2);
    expect(await readFile(join(one.local, "to/A"), "utf8")).toBe("1");
  });
});

describe("archives that break the format", () => {
  const good = file("dir/a", "content");
  it.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "is cut off: it ends without the two blocks of zeros"],
    ["no end", tarBytes([good], { end: false }), "ends without the two blocks of zeros"],
    [
      "one block of zeros",
      Buffer.concat([tarBytes([good], { end: false }), Buffer.alloc(512)]),
      "ends without the two blocks of zeros",
    ],
    [
      "one block of zeros between members",
      Buffer.concat([Buffer.alloc(512), tarBytes([good])]),
      "only one block of zeros",
    ],
    ["half of a header", tarBytes([good]).subarray(0, 300), "it ends within a header"],
    ["half of a content", tarBytes([good]).subarray(0, 515), 'before the end of "dir/a"'],
    [
      "half of the padding",
      tarBytes([good]).subarray(0, 700),
      'it ends after the content of "dir/a"',
    ],
    ["a wrong checksum", tarBytes([{ ...good, checksum: 1 }]), "the checksum of a header is wrong"],
    ["a size of letters", tarBytes([{ ...good, raw: { 124: "zzzzzz" } }]), "size is not a number"],
    [
      "a negative size",
      tarBytes([{ ...good, raw: { 124: Buffer.alloc(12, 0xff) } }]),
      "size is negative",
    ],
    [
      "a size beyond 2^53",
      tarBytes([{ ...good, raw: { 124: Buffer.from([0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) } }]),
      "size is not a number",
    ],
    ["an old sparse file", tarBytes([{ ...good, flag: "S" }]), "files with holes"],
    [
      "a sparse file of POSIX",
      tarBytes([{ name: "x", flag: "x", content: paxContent({ "GNU.sparse.major": "1" }) }, good]),
      "files with holes",
    ],
    [
      "a record of a wrong length",
      tarBytes([{ name: "x", flag: "x", content: "99 path=a\n" }, good]),
      "an extended header has a wrong length",
    ],
    [
      "a record without a key",
      tarBytes([{ name: "x", flag: "x", content: "6 =ab\n" }, good]),
      "an extended header has no key",
    ],
    [
      "a name with a NUL",
      tarBytes([{ name: "x", flag: "x", content: paxContent({ path: "a\0b" }) }, good]),
      "is empty or has a NUL",
    ],
    [
      "a size of letters in a record",
      tarBytes([{ name: "x", flag: "x", content: paxContent({ size: "1e3" }) }, good]),
      "size in an extended header is not a number",
    ],
    [
      "a global name",
      tarBytes([{ name: "x", flag: "g", content: paxContent({ path: "evil" }) }, good]),
      "a global header states the name",
    ],
    [
      "a last extended header",
      tarBytes([{ name: "x", flag: "x", content: paxContent({ path: "evil" }) }]),
      "belongs to no member",
    ],
    [
      "endless extended headers",
      tarBytes(Array.from({ length: 20 }, () => ({ name: "x", flag: "L", content: "a" }))),
      "more than 8 extended headers",
    ],
  ])("XC7, XC8: %s is an error", async (_what, archive, message) => {
    await using one = await hostilePod(archive);
    const error = await failure(one.pod.copyFrom("dir", join(one.local, "to"), { retries: 0 }));
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain(message);
  });

  it.each<[string, Buffer, object, string]>([
    [
      "maxFiles",
      tarBytes([file("dir/a"), file("dir/b"), file("dir/c")]),
      { maxFiles: 2 },
      "2 members",
    ],
    ["maxBytes", tarBytes([file("dir/a", "12345")]), { maxBytes: 4 }, "4 bytes"],
    ["its default", tarBytes([{ ...file("dir/a"), size: 8 ** 11 - 1 }]), {}, "retries"],
    [
      "the length of a name",
      tarBytes([{ name: "x", flag: "L", content: "a".repeat(5000) }, file("dir/a")]),
      {},
      "4096 bytes",
    ],
    [
      "the size of an extended header",
      tarBytes([{ name: "x", flag: "x", size: 2_000_000 }]),
      {},
      "1048576 bytes",
    ],
  ])("XC7: %s limits an archive", async (what, archive, options, message) => {
    await using one = await hostilePod(archive);
    const copy = one.pod.copyFrom("dir", join(one.local, "to"), { retries: 0, ...options });
    const error = await failure(copy);
    if (what === "its default") {
      // 8 GiB are within the default; the archive is cut off.
      expect(error).toMatchObject({ code: "Decode" });
    } else {
      expect(error).toMatchObject({ code: "TooLarge" });
      expect(error.message).toContain(message);
    }
  });

  it("XC7, XC12: a file that is cut off is removed, and an older one stays; keepPartial keeps it", async () => {
    const archive = tarBytes([file("dir/a", "x".repeat(2000))]).subarray(0, 1512);
    await using one = await hostilePod(archive);
    await mkdir(join(one.local, "to"));
    await writeFile(join(one.local, "to/a"), "old");
    await failure(one.pod.copyFrom("dir", join(one.local, "to"), { retries: 0 }));
    expect(await treeOf(one.local)).toEqual({ to: null, "to/a": "old" });
    const keep = { retries: 0, keepPartial: true };
    await failure(one.pod.copyFrom("dir", join(one.local, "to"), keep));
    expect(await treeOf(one.local)).toEqual({ to: null, "to/a": "x".repeat(1000) });
  });

  it("XC7: programs that count the checksum by signed bytes are understood", async () => {
    const name = "dir/ä";
    const whole = tarBytes([file(name)]);
    const signed = whole.subarray(0, 512).reduce((sum, byte, at) => {
      const counted = at >= 148 && at < 156 ? 32 : byte;
      return sum + (counted > 127 ? counted - 256 : counted);
    }, 0);
    await using one = await hostilePod(tarBytes([{ ...file(name), checksum: signed }]));
    expect((await one.pod.copyFrom("dir", join(one.local, "to"))).files).toBe(1);
  });
});
