import { readdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { expect, test, vi } from "vitest";
import { setNamespace } from "../../src/write/index.js";

// The error of Linux when a mount point is to be replaced, as `docker run -v ~/.kube/config:/home/app/.kube/config`
// creates one.
vi.mock(import("node:fs/promises"), async (original) => ({
  ...(await original()),
  rename: () => Promise.reject(Object.assign(new Error("busy"), { code: "EBUSY" })),
}));

test("K10: writes a kubeconfig in place when it is a mount point", async () => {
  await using dir = await folder();
  const path = await dir.write("config", kubeconfig());
  const { ino } = await stat(path);
  await setNamespace("shop", { path });
  expect(await readFile(path, "utf8")).toMatch(/"namespace": ?"shop"/);
  const after = await stat(path);
  expect([after.ino, after.mode & 0o777]).toEqual([ino, 0o600]);
  expect(await readdir(dirname(path))).toEqual(["config"]);
});
