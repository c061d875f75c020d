import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  failure,
  folder,
  kubeconfig,
  type TestFolder,
} from "@typekube/test-support/kubeconfig-files";
import { createTransport } from "@typekube/transport";
import { describe, expect, test } from "vitest";
import { type ConnectionOptions, resolveConfig } from "../../../packages/config/src/index.js";

const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };
const isPosix = process.platform !== "win32";
const server = "https://kube:6443";

function resolved(dir: TestFolder, parts: object, options: ConnectionOptions = {}) {
  return dir
    .write("config", kubeconfig(parts))
    .then((path) => resolveConfig({ ...nowhere, kubeconfig: path, ...options }));
}

/** Fields of a kubeconfig that name a file. */
const places: readonly (readonly [string, (path: string) => object])[] = [
  ["certificate-authority", (path) => ({ cluster: { server, "certificate-authority": path } })],
  ["client-certificate", (path) => ({ user: { "client-certificate": path, "client-key": path } })],
  ["tokenFile", (path) => ({ user: { tokenFile: path } })],
];

describe.skipIf(!isPosix)("a file named in a kubeconfig", () => {
  test.each(places)("%s: rejects a pipe before opening it", async (_field, parts) => {
    await using dir = await folder();
    const pipe = join(dir.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    // More runs than Node has threads, so that blocked threads would show.
    for (let run = 0; run < 6; run++) {
      const error = await failure(resolved(dir, parts(pipe)).then(({ auth }) => auth?.headers()));
      expect(error.message).toContain(`the file ${pipe} cannot be read`.replace("the file ", ""));
      expect(error.message).toContain("the path names a pipe, not a regular file");
    }
  });

  test.each(places)("%s: rejects an endless device", async (_field, parts) => {
    await using dir = await folder();
    const error = await failure(
      resolved(dir, parts("/dev/zero")).then(({ auth }) => auth?.headers()),
    );
    expect(error.message).toContain("the path names a device, not a regular file");
  });

  test.each(places)("%s: rejects a file over 4 MiB", async (_field, parts) => {
    await using dir = await folder();
    const path = join(dir.path, "large");
    await writeFile(path, Buffer.alloc(4 * 1024 * 1024 + 1, "x"));
    const error = await failure(resolved(dir, parts(path)).then(({ auth }) => auth?.headers()));
    expect(error.message).toContain("the file is larger than 4194304 bytes");
  });
});

describe("files that a kubeconfig may reference (fileReferences)", () => {
  test.each(places)(
    '%s: none, or only files below a folder, without symlinks or ".."',
    async (_field, parts) => {
      await using dir = await folder();
      const inside = await dir.write("allowed/file", "secret");
      const outside = await dir.write("other/file", "secret");
      await symlink(outside, join(dir.path, "allowed", "link"));
      const allowed = join(dir.path, "allowed");
      const may = async (path: string, fileReferences: ConnectionOptions["fileReferences"]) => {
        try {
          await resolved(dir, parts(path), { fileReferences });
          return true;
        } catch (error) {
          expect(String(error)).toContain("fileReferences does not allow the file");
          return false;
        }
      };
      expect(await may(inside, undefined)).toBe(true);
      expect(await may(inside, "none")).toBe(false);
      expect(await may(inside, [allowed])).toBe(true);
      expect(await may(outside, [allowed])).toBe(false);
      expect(await may(join(allowed, "..", "other", "file"), [allowed])).toBe(false);
      expect(await may(join(allowed, "link"), [allowed])).toBe(false);
      expect(await may(`${allowed}-not`, [allowed])).toBe(false);
    },
  );

  test("includes the CA of an OIDC issuer", async () => {
    await using dir = await folder();
    const config = { "idp-certificate-authority": "/etc/passwd" };
    const user = { "auth-provider": { name: "oidc", config } };
    const error = await failure(resolved(dir, { user }, { fileReferences: "none" }));
    expect(error.message).toContain("idp-certificate-authority");
  });
});

describe("cancelling the reading of a configuration", () => {
  test("rejects with the signal's reason", async () => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(resolveConfig({ ...nowhere, signal: controller.signal })).rejects.toThrow(
      "enough",
    );
  });

  test.skipIf(!isPosix)("times out on a kubeconfig that is a pipe without a writer", async () => {
    await using dir = await folder();
    const pipe = join(dir.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const timers: (() => void)[] = [];
    const clock = {
      now: () => 0,
      schedule: (_ms: number, callback: () => void) => {
        timers.push(callback);
        return () => {};
      },
    };
    const reading = resolveConfig({ ...nowhere, kubeconfig: pipe, timeoutMs: 10, clock });
    for (const end of timers) {
      end();
    }
    await expect(reading).rejects.toThrow(
      "[DeadlineExceeded] the configuration was not read within 10 ms",
    );
    // Releases the thread that waits for a writer.
    await writeFile(pipe, "");
  });

  test.skipIf(!isPosix)(
    "reads a kubeconfig from a pipe, as a shell passes it for <(command)",
    async () => {
      await using dir = await folder();
      const pipe = join(dir.path, "pipe");
      execFileSync("mkfifo", [pipe]);
      const [config] = await Promise.all([
        resolveConfig({ ...nowhere, kubeconfig: pipe }),
        writeFile(pipe, JSON.stringify(kubeconfig())),
      ]);
      expect(config.server).toBe(server);
    },
  );
});

test.each(["", "\n", "no certificate"])(
  "rejects the CA %j, which would trust public CAs instead",
  async (ca) => {
    await using dir = await folder();
    const path = await dir.write("ca.pem", ca);
    const config = await resolved(dir, { cluster: { server, "certificate-authority": path } });
    const error = await failure(Promise.resolve().then(() => createTransport(config)));
    expect(error.message).toContain("CA");
    await failure(Promise.resolve().then(() => createTransport({ server, tls: { ca } })));
  },
);
