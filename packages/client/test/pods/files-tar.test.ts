import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { staysInside } from "../../src/pod-files/kept-links.js";
import { memberPlace } from "../../src/pod-files/member-path.js";
import type { TarEntry } from "../../src/pod-files/tar/tar-entry.js";
import { readNumber, writeNumber } from "../../src/pod-files/tar/tar-numbers.js";
import { tarMembers } from "../../src/pod-files/tar/tar-reader.js";
import { archiveBytes, type TarSource, tarArchive } from "../../src/pod-files/tar/tar-writer.js";

function entry(name: string, facts: Partial<TarEntry> = {}): TarEntry {
  return {
    name,
    type: "file",
    size: 0,
    mode: 0o640,
    uid: 1000,
    gid: 1000,
    modifiedMs: 1_000_000_000_000,
    linkName: "",
    ...facts,
  };
}

function source(name: string, content: string): TarSource {
  const bytes = Buffer.from(content);
  return {
    entry: entry(name, { size: bytes.byteLength }),
    async *read() {
      yield bytes;
    },
  };
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) {
    all.push(chunk);
  }
  return Buffer.concat(all);
}

const long = `${"d".repeat(200)}/${"n".repeat(150)}`;
const sources: readonly TarSource[] = [
  { entry: entry("dir/", { type: "directory", mode: 0o750 }) },
  source("dir/ä b", "content"),
  source(long, "x".repeat(1000)),
  source("empty", ""),
  { entry: entry("link", { type: "symlink", linkName: "dir/ä b" }) },
  { entry: entry("long-link", { type: "symlink", linkName: long }) },
];

describe("the writer of archives", () => {
  it("XC3: the tar of this machine reads what it writes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "typekube-tar-"));
    try {
      await writeFile(join(folder, "x.tar"), await collected(tarArchive(sources)));
      await promisify(execFile)("tar", ["-xf", "x.tar"], { cwd: folder });
      expect(await readFile(join(folder, "dir/ä b"), "utf8")).toBe("content");
      expect(await readFile(join(folder, long), "utf8")).toBe("x".repeat(1000));
      expect(await readlink(join(folder, "long-link"))).toBe(long);
      const { mode, mtimeMs } = await stat(join(folder, "dir/ä b"));
      expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_000_000_000_000]);
      expect((await readdir(folder)).sort()).toEqual(
        ["d".repeat(200), "dir", "empty", "link", "long-link", "x.tar"].sort(),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("XC4: its size is known before it is written", async () => {
    const bytes = await collected(tarArchive(sources));
    expect(bytes.byteLength).toBe(archiveBytes(sources));
    expect(bytes.byteLength % 10_240).toBe(0);
  });

  it("XC7: its reader reads the same entries in chunks of any size", async () => {
    const bytes = await collected(tarArchive(sources));
    for (const size of [1, 511, 512, 513, 100_000]) {
      const found: TarEntry[] = [];
      const chunks = async function* () {
        for (let at = 0; at < bytes.byteLength; at += size) {
          yield bytes.subarray(at, at + size);
        }
      };
      for await (const member of tarMembers(chunks(), { maxFiles: 10, maxBytes: 10_000 })) {
        found.push(member.entry);
      }
      expect(found).toEqual(sources.map((one) => one.entry));
    }
  });

  it("XC8: a content that is shorter or longer than its size is an error", async () => {
    for (const size of [3, 5]) {
      const wrong = { ...source("x", "four"), entry: entry("x", { size }) };
      const error = await failure(collected(tarArchive([wrong])));
      expect(error).toMatchObject({ code: "InvalidState" });
      expect(error.message).toContain("changed its size");
    }
  });
});

describe("numbers of headers", () => {
  it.each([0, 1, 0o777, 8 ** 11 - 1, 8 ** 11, 2 ** 40, Number.MAX_SAFE_INTEGER])(
    "XC7: %d is written in 12 bytes and read again",
    (value) => {
      const field = Buffer.alloc(12);
      writeNumber(field, value);
      expect(readNumber(field, "size")).toBe(value);
    },
  );

  it("XC7: negative numbers in base 256, spaces and empty fields are read", () => {
    expect(readNumber(Buffer.alloc(12, 0xff), "mtime")).toBe(-1);
    expect(readNumber(Buffer.from("  644 \0 "), "mode")).toBe(0o644);
    expect(readNumber(Buffer.alloc(8), "uid")).toBe(0);
  });

  it.each(["8", "0x1", "-1", "1 1"])("XC7: %j is no number", async (text) => {
    const error = await failure(
      Promise.resolve().then(() => readNumber(Buffer.from(text), "size")),
    );
    expect(error.rawMessage).toBe("the tar archive is invalid: size is not a number");
  });
});

describe("names of members", () => {
  it.each([
    ["./dir/a", ["a"]],
    ["dir//a/./b/", ["a", "b"]],
    ["dir", []],
    ["dir/..data", ["..data"]],
    ["dir/a\\b", ["a\\b"]],
    ["dir/c:d", ["c:d"]],
  ])("XC5: %j is %j", (name, parts) => {
    expect(memberPlace(name, "dir", "linux")).toEqual({ parts });
  });

  it.each(["a\\b", "c:d", "a:stream", "NUL", "com1.txt", "aux", "x.", "x ", "a?b"])(
    "XC5: on Windows %j is refused",
    (part) => {
      expect(memberPlace(`dir/${part}`, "dir", "win32")).toEqual({ reason: "name" });
    },
  );
});

describe("targets of links", () => {
  it.each([
    ["a", 0, true],
    ["a/b/../c", 2, false],
    ["..", 0, false],
    ["..", 1, true],
    ["../../a", 1, false],
    ["./../a", 1, true],
    ["/a", 5, false],
    ["", 5, false],
  ])("XC6: %j at depth %i stays inside: %s", (target, depth, expected) => {
    expect(staysInside(target, depth)).toBe(expected);
  });
});
