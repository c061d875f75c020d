import { execFile } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { KubeError } from "@typekube/core";
import { mutate, seededRandom } from "@typekube/test-support/seeded-random";
import {
  paxContent,
  type TestMember,
  tarBytes,
  writeChecksum,
} from "@typekube/test-support/tar-bytes";
import { expect, it } from "vitest";
import { Extraction } from "../../src/pod-files/extraction.js";
import { tarMembers } from "../../src/pod-files/tar/tar-reader.js";

/** Archives. TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const archiveCount: number = Number(process.env["TYPEKUBE_FUZZ"] ?? 2_000);
const seed = 20_261_126;
/** Archives that go into one target, so that later ones meet what earlier ones have left. */
const archivesPerTarget = 20;

/** Links of the caller in the target, all of them to places outside. */
const presetLinks = {
  out: "../beside",
  c: "../beside/canary",
  dangling: "../beside/missing",
};

type Random = () => number;

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A sandbox: a canary and a folder beside the target, to which links in the target lead. */
async function createSandbox() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "typekube-fuzz-")));
  const target = join(path, "target");
  await writeFile(join(path, "canary"), "alive");
  await mkdir(join(path, "beside"));
  await writeFile(join(path, "beside/canary"), "alive");
  return {
    path,
    target,
    async renew() {
      await promisify(execFile)("chmod", ["-R", "u+rwx", path]);
      await rm(target, { recursive: true, force: true });
      await mkdir(target);
      for (const [name, to] of Object.entries(presetLinks)) {
        await symlink(to, join(target, name));
      }
    },
    /** Returns links in the target that lead out of it. */
    async linksOut() {
      const found = await linksBelow(target);
      const real = await Promise.all(found.map((link) => realpath(link).catch(() => target)));
      return found.filter((_link, at) => !`${real[at]}/`.startsWith(`${target}/`));
    },
    async state() {
      return {
        files: (await readdir(path)).sort(),
        beside: await readdir(join(path, "beside")),
        canaries: await Promise.all(
          ["canary", "beside/canary"].map((name) => readFile(join(path, name), "utf8")),
        ),
      };
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

async function linksBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? linksBelow(path) : entry.isSymbolicLink() ? [path] : [];
    }),
  );
  return found.flat();
}

/** Returns a path of parts, most of them harmless, some of them not. */
function hostilePath(random: Random, sandbox: string): string {
  const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    pick(random, ["a", "b", "c", "d", "out", "dangling", "A", ".", "", "..", "C:", "..\\..", "é"]),
  );
  const start = pick(random, ["dir/", "dir/", "dir/", "dir/", "", "./dir/", "/", `${sandbox}/`]);
  return start + parts.join("/") + pick(random, ["", "", "", "/", "/.."]);
}

function hostileMember(random: Random, sandbox: string): TestMember[] {
  const name = hostilePath(random, sandbox);
  const flag = pick(random, ["0", "0", "0", "5", "5", "1", "2", "2", "2", "3", "6", "7", "V"]);
  const target = pick(random, [
    "..",
    ".",
    "a",
    "../beside/evil",
    "a/../..",
    "../canary",
    `${sandbox}/canary`,
    hostilePath(random, sandbox),
    hostilePath(random, sandbox).slice(4),
  ]);
  const member = {
    name,
    flag,
    linkName: flag === "1" || flag === "2" ? target : "",
    content: flag === "0" ? "x".repeat(Math.floor(random() * 600)) : "",
    mode: pick(random, [0o644, 0o755, 0o4755, 0, 0o7777]),
  };
  switch (Math.floor(random() * 8)) {
    case 0:
      return [
        { name: "x", flag: "x", content: paxContent({ path: name, linkpath: target }) },
        { ...member, name: "dir/x" },
      ];
    case 1:
      return [
        { name: "././@LongLink", flag: "L", content: `${name}\0` },
        { ...member, name: "dir/x" },
      ];
    case 2:
      return [{ ...member, name: name.slice(0, 90), raw: { 345: "dir/.." } }];
    default:
      return [member];
  }
}

/** Returns an archive: well-formed, or with changed bytes and in half of these the right checksums. */
function hostileArchive(random: Random, sandbox: string): Buffer {
  const members = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
    hostileMember(random, sandbox),
  ).flat();
  const whole = tarBytes(members);
  if (random() < 0.7) {
    return whole;
  }
  const changed = Buffer.from(mutate(whole, random));
  if (random() < 0.5) {
    for (let at = 0; at + 512 <= changed.byteLength; at += 512) {
      if (changed.toString("latin1", at + 257, at + 262) === "ustar") {
        writeChecksum(changed.subarray(at, at + 512));
      }
    }
  }
  return changed;
}

async function* inChunks(bytes: Buffer, random: Random) {
  for (let at = 0; at < bytes.byteLength; ) {
    const size = 1 + Math.floor(random() * 1500);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

it(`XC15: ${archiveCount} hostile archives create nothing outside of the target, seed ${seed}`, {
  timeout: 3_600_000,
}, async () => {
  await using sandbox = await createSandbox();
  const random = seededRandom(seed);
  const outcomes: Record<string, number> = {};
  await sandbox.renew();
  const before = await sandbox.state();
  for (let count = 0; count < archiveCount; count++) {
    if (count % archivesPerTarget === 0) {
      const links = await sandbox.linksOut();
      expect(links.filter((path) => !(basename(path) in presetLinks))).toEqual([]);
      await sandbox.renew();
    }
    const archive = hostileArchive(random, sandbox.path);
    const extraction = new Extraction(sandbox.target, {
      name: pick(random, ["dir", "dir", "dir", ""]),
      keepsLinks: random() < 0.7,
      keepPartial: random() < 0.3,
      maxBytes: 1_000_000,
      onProgress: undefined,
    });
    let outcome = "complete";
    try {
      const limits = { maxFiles: 100, maxBytes: 1_000_000 };
      for await (const member of tarMembers(inChunks(archive, random), limits)) {
        await extraction.add(member);
      }
      await extraction.finish();
    } catch (error) {
      // Errors of the file system are those of its paths, such as ENAMETOOLONG.
      const code = (error as NodeJS.ErrnoException).code ?? "none";
      outcome = error instanceof KubeError || /^E[A-Z]+$/.test(code) ? code : String(error);
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const after = await sandbox.state();
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      expect({ archive: archive.toString("base64"), ...after }).toEqual(before);
    }
  }
  console.log(`seed ${seed}: ${JSON.stringify(outcomes)}`);
  expect(outcomes["complete"]).toBeGreaterThan(archiveCount / 10);
  expect(Object.keys(outcomes).filter((name) => !/^[A-Za-z]+$/.test(name))).toEqual([]);
});
