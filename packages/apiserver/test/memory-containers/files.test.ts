import { mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tarBytes } from "@typekube/test-support/tar-bytes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileError } from "../../src/pod-streams/memory-containers/files/file-error.js";
import { MemoryFiles } from "../../src/pod-streams/memory-containers/files/memory-files.js";
import { startedPod } from "./started-pod.js";

let local: string;
beforeEach(async () => {
  local = await mkdtemp(join(tmpdir(), "typekube-local-"));
});
afterEach(() => rm(local, { recursive: true, force: true }));

describe("copies to and from a container in memory", () => {
  it.each([false, true])("a directory goes there and back, compressed: %s", async (compress) => {
    await mkdir(join(local, "dir/sub"), { recursive: true });
    await mkdir(join(local, "dir/empty"));
    await writeFile(join(local, "dir/run.sh"), "echo", { mode: 0o750 });
    await writeFile(join(local, `dir/sub/${"ä".repeat(90)}`), "x".repeat(300_000));
    await symlink("run.sh", join(local, "dir/link"));
    const { pod } = await startedPod();
    await pod.copyTo(join(local, "dir"), "/srv", { compress, preserve: true });
    await pod.copyTo(join(local, "dir"), "/srv", { compress });
    expect((await pod.exec(["ls", "/srv"])).stdout).toBe("dir\nempty\nlink\nrun.sh\nsub\n");
    const back = join(local, "back");
    const { files, skipped } = await pod.copyFrom("/srv/dir", back, { compress, symlinks: "keep" });
    expect([files, skipped]).toEqual([3, []]);
    expect((await readFile(join(back, "sub", "ä".repeat(90)))).byteLength).toBe(300_000);
    expect((await stat(join(back, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readlink(join(back, "link"))).toBe("run.sh");
    const followed = await pod.copyFrom("/srv/dir", join(local, "f"), { symlinks: "follow" });
    expect([followed.files, await readFile(join(local, "f/link"), "utf8")]).toEqual([3, "echo"]);
  });

  it("a file is written without a shell: whole, with its mode, in place of another", async () => {
    const { pod } = await startedPod();
    await pod.writeFile("/tmp/-a b", "first", { mode: 0o600 });
    await pod.writeFile("/tmp/-a b", Buffer.from([0, 255]));
    expect(await pod.readFile("/tmp/-a b")).toEqual(Buffer.from([0, 255]));
    expect((await pod.exec(["ls", "-A", "/tmp"])).stdout).toBe("-a b\n");
    expect((await pod.exec(["ls", "-l", "/tmp/-a b"])).stdout).toMatch(/^-rw-r--r-- /);
  });

  it("a hard link becomes a copy, and a device is left out", async () => {
    const { pod } = await startedPod();
    const stdin = tarBytes([
      { name: "a", content: "1" },
      { name: "b", flag: "1", linkName: "a" },
      { name: "c", flag: "3" },
      { name: "../../d", content: "2" },
    ]);
    const { exitCode } = await pod.exec(["tar", "xf", "-", "-C", "/tmp"], { stdin });
    expect(exitCode).toBe(0);
    expect((await pod.exec(["ls", "/tmp"])).stdout).toBe("a\nb\nd\n");
    expect((await pod.exec(["cat", "/tmp/b"])).stdout).toBe("1");
  });

  it("an archive that is damaged is an error of tar", async () => {
    const { pod } = await startedPod();
    const cut = tarBytes([{ name: "a", content: "1" }], { end: false });
    const { exitCode, stderr } = await pod.exec(["tar", "-xf", "-"], { stdin: cut });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("cut off")]);
  });

  it("an absolute name is archived without its slash", async () => {
    const { pod } = await startedPod();
    const { stdout, stderr } = await pod.exec(["tar", "cf", "-", "/etc/hostname"]);
    expect(stdout.slice(0, 12)).toBe("etc/hostname");
    expect(stderr).toBe("tar: Removing leading `/' from member names\n");
  });
});

describe("files in memory", () => {
  const files = () => new MemoryFiles("/work", () => 0);
  const code = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return error instanceof FileError ? error.code : error;
    }
    return undefined;
  };

  it("links are followed, also to directories and upwards", () => {
    const all = files();
    all.makeDirectory("/a/b", { parents: true });
    all.link("/to", "a/b");
    all.link("/work/up", "../a");
    all.write("/to/x", Buffer.from("1"));
    expect(all.read("up/b/x").toString()).toBe("1");
    expect(all.get("/to", { follows: false }).type).toBe("symlink");
    expect([
      ...(all.get("/to/..") as never as { entries: Map<string, unknown> }).entries.keys(),
    ]).toEqual(["b"]);
  });

  it("a circle of links ends", () => {
    const all = files();
    all.link("/one", "two");
    all.link("/two", "one");
    expect(code(() => all.get("/one/x"))).toBe("ELOOP");
    all.link("/self", "./self/../self/x");
    expect(code(() => all.get("/self"))).toBe("ELOOP");
  });

  it("an operation that is refused changes nothing", () => {
    const all = new MemoryFiles("/", () => 0, { maxBytes: 4, maxFiles: 3 });
    all.makeDirectory("/d");
    all.write("/d/f", Buffer.from("1234"));
    expect(code(() => all.write("/d/f", Buffer.from("12345")))).toBe("ENOSPC");
    expect(code(() => all.write("/d", Buffer.from("")))).toBe("EISDIR");
    expect(code(() => all.rename("/d/f", "/d"))).toBe("EISDIR");
    expect(code(() => all.rename("/d", "/d/x"))).toBe("EINVAL");
    expect(code(() => all.remove("/"))).toBe("EINVAL");
    expect(code(() => all.makeDirectory(`/${"n".repeat(256)}`))).toBe("ENAMETOOLONG");
    expect(code(() => all.get("/d".repeat(2_049)))).toBe("ENAMETOOLONG");
    all.write("/g", Buffer.from(""));
    expect(code(() => all.write("/h", Buffer.from("")))).toBe("ENOSPC");
    expect(all.read("/d/f").toString()).toBe("1234");
  });

  it("room that files had is free again", () => {
    const all = new MemoryFiles("/", () => 0, { maxBytes: 4, maxFiles: 2 });
    for (let round = 0; round < 3; round += 1) {
      all.makeDirectory("/d");
      all.write("/d/f", Buffer.from("1234"));
      all.write("/d/f", Buffer.from("4321"));
      all.rename("/d/f", "/d/g");
      all.remove("/d", { recursive: true });
    }
    expect(all.find("/d")).toBeUndefined();
  });
});
