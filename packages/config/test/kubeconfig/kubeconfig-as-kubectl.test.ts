import { inspect } from "node:util";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { loadKubeconfig, parseKubeconfig, resolveConfig } from "../../src/index.js";

/** Isolates a test from the machine: no environment, no home directory, no service account. */
const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };
const basic = (pair: string) => ({
  authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
});

function resolveServer(server: string, options: object = {}, user: object = { token: "t" }) {
  return resolveConfig({
    ...nowhere,
    kubeconfig: kubeconfig({ cluster: { server }, user }),
    ...options,
  });
}

describe("user and password in the server URL of a kubeconfig", () => {
  // Each row was compared with the requests that kubectl 1.32 sends.
  test.each([
    ["https://user:p%40w@kube:6443", "https://kube:6443", "user:p@w"],
    ["https://user@kube/base", "https://kube/base", "user:"],
    ["http://user:a:b@kube", "http://kube", "user:a:b"],
    ["https://user:p@w@kube", "https://kube", "user:p@w"],
    ["user:pw@kube:1", "kube:1", "user:pw"],
  ])("sends %s as basic authentication, in place of a token", async (url, server, pair) => {
    const config = await resolveServer(url);
    expect(config.server).toBe(server);
    expect(await config.auth?.headers()).toEqual(basic(pair));
  });

  test("prefers the caller's options", async () => {
    const url = "https://user:canary@kube";
    const withToken = await resolveServer(url, { token: "mine" });
    expect(await withToken.auth?.headers()).toEqual({ authorization: "Bearer mine" });
    expect((await resolveServer(url, { anonymous: true })).auth).toBeUndefined();
    const elsewhere = await resolveServer(url, { server: "https://other" });
    expect(elsewhere.server).toBe("https://other");
    expect(await elsewhere.auth?.headers()).toEqual({ authorization: "Bearer t" });
    const refused = await failure(resolveConfig({ ...nowhere, server: url }));
    expect(inspect(refused)).not.toContain("canary");
  });

  test("does not show the password", async () => {
    const url = "https://user:canary@kube";
    const config = await resolveServer(url);
    const loaded = await parseKubeconfig(kubeconfig({ cluster: { server: url } }));
    for (const value of [
      config,
      loaded,
      await failure(resolveServer("https://u:canary%zz@kube")),
    ]) {
      for (const shown of [inspect(value, { depth: 9 }), JSON.stringify(value)]) {
        expect(shown).not.toContain("canary");
      }
    }
  });
});

describe("kubeconfig text", () => {
  test("uses the last value of a duplicate key, in YAML and in JSON", async () => {
    const yaml =
      "current-context: a\ncurrent-context: b\nclusters: [{name: c, cluster: {server: x, server: z}}]\n";
    const json =
      '{"current-context":"a","current-context":"b","clusters":[{"name":"c","cluster":{"server":"x","server":"z"}}]}';
    for (const text of [yaml, json, `# JSON\n${json}`]) {
      const { currentContext, clusters } = await parseKubeconfig(text);
      expect([currentContext, clusters.get("c")?.value.server]).toEqual(["b", "z"]);
    }
  });

  test("decodes !!binary as base64 text", async () => {
    const { users } = await parseKubeconfig("users: [{name: u, user: {token: !!binary aGk=}}]\n");
    expect(users.get("u")?.value.token).toBe("hi");
  });

  test.each(["config", "kubeconfig.bak", "prod", "a,b", "[x]", "with blank"])(
    "reads a file of any name: %s",
    async (name) => {
      await using dir = await folder();
      const path = await dir.write(name, kubeconfig());
      expect((await loadKubeconfig({ path })).currentContext).toBe("main");
      expect((await loadKubeconfig({ env: { KUBECONFIG: path } })).currentContext).toBe("main");
      expect((await resolveConfig({ ...nowhere, kubeconfig: path })).contextName).toBe("main");
    },
  );

  test.each(["\ufeff", "\ufeff---\n"])("accepts a byte order mark: %j", async (mark) => {
    const text = `${mark}current-context: a\n`;
    expect((await parseKubeconfig(text)).currentContext).toBe("a");
  });
});
