import { delimiter, join } from "node:path";
import {
  failure,
  folder,
  kubeconfig,
  type TestFolder,
} from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { type ConnectionOptions, hasConfigProblem, resolveConfig } from "../../src/index.js";

/** Isolates a test from the machine: no environment, no home directory, no service account. */
const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };

/** Creates a pod's environment and the files of its service account. */
async function account(dir: TestFolder): Promise<ConnectionOptions> {
  await dir.write("account/token", "pod-token\n");
  await dir.write("account/ca.crt", "pod-ca");
  await dir.write("account/namespace", "pod-ns\n");
  return {
    env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" },
    homeDir: dir.path,
    serviceAccountDir: join(dir.path, "account"),
  };
}

describe("in a cluster", () => {
  test("K23, CLI2: uses the service account when there is no kubeconfig", async () => {
    await using dir = await folder();
    const config = await resolveConfig(await account(dir));
    expect(config).toMatchObject({
      server: "https://10.0.0.1:443",
      tls: { ca: "pod-ca" },
      namespace: "pod-ns",
    });
    expect(await config.auth?.headers()).toEqual({ authorization: "Bearer pod-token" });
    expect(config).not.toHaveProperty("contextName");
  });

  test("brackets an IPv6 host, and leaves a missing CA to the TLS handshake", async () => {
    await using dir = await folder();
    await dir.write("other/token", "t");
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" };
    const config = await resolveConfig({
      env,
      homeDir: dir.path,
      serviceAccountDir: join(dir.path, "other"),
    });
    expect(config.server).toBe("https://[fd00::1]:6443");
    expect(config.tls).toEqual({});
  });

  test("K23, CLI2: prefers a kubeconfig; the pod hides no error other than an empty configuration", async () => {
    await using dir = await folder();
    const pod = await account(dir);
    const path = await dir.write("config", kubeconfig());
    const env = { ...pod.env, KUBECONFIG: path };
    expect((await resolveConfig({ ...pod, env })).server).toBe("https://kube:6443");
    const broken = { ...pod.env, KUBECONFIG: await dir.write("broken", "a: [") };
    await failure(resolveConfig({ ...pod, env: broken }));
    const gone = { ...pod.env, KUBECONFIG: [join(dir.path, "x")].join(delimiter) };
    expect((await resolveConfig({ ...pod, env: gone })).server).toBe("https://10.0.0.1:443");
    expect(
      hasConfigProblem(await failure(resolveConfig({ ...pod, inCluster: false })), "Empty"),
    ).toBe(true);
  });

  test("K24: replaces only those of server, token and CA that are given", async () => {
    await using dir = await folder();
    const pod = { ...(await account(dir)), inCluster: true };
    const server = await resolveConfig({ ...pod, server: "https://other" });
    expect(server).toMatchObject({ server: "https://other", tls: { ca: "pod-ca" } });
    const token = await resolveConfig({ ...pod, token: "mine" });
    expect(await token.auth?.headers()).toEqual({ authorization: "Bearer mine" });
    expect((await resolveConfig({ ...pod, ca: "mine" })).tls).toEqual({ ca: "mine" });
  });

  test("inCluster outside a cluster is an error that states the requirements", async () => {
    const error = await failure(resolveConfig({ ...nowhere, inCluster: true }));
    expect(error.message).toContain("KUBERNETES_SERVICE_HOST");
  });

  test("K22: prefers the namespace of the caller, the context, POD_NAMESPACE, the account, then default", async () => {
    await using dir = await folder();
    const pod = await account(dir);
    const withPod = { ...pod, env: { ...pod.env, POD_NAMESPACE: "env-ns" } };
    const path = (namespace?: string) =>
      dir.write("config", kubeconfig({ context: { namespace } }));
    const namespaceOf = async (options: ConnectionOptions) =>
      (await resolveConfig(options)).namespace;
    expect(await namespaceOf({ ...pod, kubeconfig: await path("ctx"), namespace: "mine" })).toBe(
      "mine",
    );
    expect(await namespaceOf({ ...withPod, kubeconfig: await path("ctx") })).toBe("ctx");
    expect(await namespaceOf({ ...withPod, kubeconfig: await path("default") })).toBe("default");
    expect(await namespaceOf({ ...withPod, kubeconfig: await path() })).toBe("env-ns");
    expect(await namespaceOf({ ...pod, kubeconfig: await path() })).toBe("pod-ns");
    expect(await namespaceOf({ ...nowhere, kubeconfig: await path() })).toBe("default");
    expect(await namespaceOf(withPod)).toBe("env-ns");
  });
});
