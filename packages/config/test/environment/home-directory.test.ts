import { chmod, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { failure, folder } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { homeDirectory, type Machine } from "../../src/environment/home-directory.js";
import { splitPathList } from "../../src/environment/path-list.js";
import { resolveConfig } from "../../src/index.js";

const linux: Machine = {
  platform: "linux",
  exists: async () => false,
  isWritableFolder: async () => false,
  recordedHome: () => {
    throw Object.assign(new Error("no passwd entry"), { code: "ERR_SYSTEM_ERROR" });
  },
};
/** A Windows machine with these files and folders; a folder whose name ends in `!` is read-only. */
const windows = (...files: string[]): Machine => ({
  ...linux,
  platform: "win32",
  exists: async (path) => files.includes(path) || files.includes(`${path}!`),
  isWritableFolder: async (path) => files.includes(path),
});

describe("the home directory", () => {
  test("is HOME, else the one on record, else undefined", async () => {
    expect(await homeDirectory({ HOME: "/home/me" }, linux)).toBe("/home/me");
    expect(await homeDirectory({}, { ...linux, recordedHome: () => "/var/me" })).toBe("/var/me");
    expect(await homeDirectory({}, linux)).toBeUndefined();
  });

  const env = { HOME: "H:\\", HOMEDRIVE: "C:", HOMEPATH: "\\Users\\me", USERPROFILE: "U:\\me" };
  const [drive, profile] = ["C:\\Users\\me", "U:\\me"];

  test("on Windows is the first of HOME, HOMEDRIVE with HOMEPATH, and USERPROFILE that has a kubeconfig", async () => {
    const [ofDrive, ofProfile] = [`${drive}\\.kube\\config`, `${profile}\\.kube\\config`];
    expect(await homeDirectory(env, windows("H:\\", ofProfile))).toBe(profile);
    expect(await homeDirectory(env, windows("H:\\", ofProfile, ofDrive))).toBe(drive);
  });

  // client-go prefers USERPROFILE here, where other tools store their logins.
  test("on Windows without a kubeconfig prefers a writable home, then an existing one, then any that is set", async () => {
    expect(await homeDirectory(env, windows(drive, profile))).toBe(profile);
    expect(await homeDirectory(env, windows("H:\\!", drive))).toBe(drive);
    expect(await homeDirectory(env, windows(`${drive}!`))).toBe(drive);
    expect(await homeDirectory(env, windows())).toBe("H:\\");
    expect(await homeDirectory({ ...env, HOME: "" }, windows())).toBe(profile);
    expect(await homeDirectory({ HOMEDRIVE: "C:" }, windows())).toBeUndefined();
  });
});

test("on Windows removes quotes around a path in KUBECONFIG and does not split at a semicolon inside", () => {
  expect(splitPathList('"C:\\a b\\config";D:\\c;;"E:\\x;y"', "win32")).toEqual([
    "C:\\a b\\config",
    "D:\\c",
    "E:\\x;y",
  ]);
  expect(splitPathList("/a::/b", "linux")).toEqual(["/a", "/b"]);
});

describe("a pod whose user cannot read the default kubeconfig", () => {
  const inPod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

  // Root can read everything, and Windows has no such modes.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "uses the service account when the default kubeconfig is unreadable",
    async () => {
      await using dir = await folder();
      await dir.write("account/token", "t");
      await mkdir(join(dir.path, ".kube"));
      await chmod(join(dir.path, ".kube"), 0);
      const options = {
        env: inPod,
        homeDir: dir.path,
        serviceAccountDir: join(dir.path, "account"),
      };
      expect((await resolveConfig(options)).server).toBe("https://10.0.0.1:443");
    },
  );

  test("uses the service account when the default kubeconfig is not a file", async () => {
    await using dir = await folder();
    await dir.write("account/token", "t");
    await mkdir(join(dir.path, ".kube", "config"), { recursive: true });
    const options = { env: inPod, homeDir: dir.path, serviceAccountDir: join(dir.path, "account") };
    expect((await resolveConfig(options)).server).toBe("https://10.0.0.1:443");
    const named = { ...options, env: { ...inPod, KUBECONFIG: join(dir.path, ".kube", "config") } };
    expect((await failure(resolveConfig(named))).message).toContain("cannot be read");
    const outside = { ...options, env: {} };
    expect((await failure(resolveConfig(outside))).message).toContain("cannot be read");
  });
});

test("outside a pod without a home directory the error lists the locations that were tried", async () => {
  const missing = resolve("/no/such/file");
  const error = await failure(
    resolveConfig({ env: { KUBECONFIG: missing }, serviceAccountDir: "/none" }),
  );
  expect(error.message).toBe(
    `[Config] no configuration found: ${missing} does not exist, and no service account is mounted: ` +
      "set KUBECONFIG, pass { server, token }, or run in a cluster",
  );
});
