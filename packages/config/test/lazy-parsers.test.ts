import { folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { expect, test, vi } from "vitest";
import { resolveConfig } from "../src/index.js";

const loaded: string[] = [];
vi.mock(import("../src/kubeconfig/kubeconfig-schema.js"), async (original) => {
  loaded.push("zod");
  return original();
});

test("loads zod only when a kubeconfig is read", async () => {
  await using dir = await folder();
  await resolveConfig({ server: "https://kube", token: "t" });
  await dir.write("account/token", "t");
  await resolveConfig({
    env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" },
    homeDir: dir.path,
    serviceAccountDir: `${dir.path}/account`,
  });
  expect(loaded).toEqual([]);
  await resolveConfig({ kubeconfig: await dir.write("config", kubeconfig()) });
  expect(loaded).toEqual(["zod"]);
});
