import { rootCertificates } from "node:tls";
import { inspect } from "node:util";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { createTransport } from "@typekube/transport";
import { describe, expect, test } from "vitest";
import { proxyFromEnvironment } from "../../src/environment/proxy-from-environment.js";
import {
  type ConnectionOptions,
  hasConfigProblem,
  loadKubeconfig,
  resolveConfig,
} from "../../src/index.js";

const nowhere = { homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };

describe("N36, H43: the environment's proxy, with Go's rules", () => {
  const proxied = (server: string, noProxy: string) =>
    proxyFromEnvironment(server, { HTTPS_PROXY: "http://p", NO_PROXY: noProxy }) !== undefined;

  test.each([
    ["https://kube.test", { HTTPS_PROXY: "http://a", HTTP_PROXY: "http://b" }, "http://a"],
    ["http://kube.test", { HTTPS_PROXY: "http://a", HTTP_PROXY: "http://b" }, "http://b"],
    ["https://kube.test", { https_proxy: "http://c" }, "http://c"],
    ["https://kube.test", { HTTPS_PROXY: "http://a", https_proxy: "http://c" }, "http://a"],
    ["https://kube.test", { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128"],
    ["https://kube.test", { HTTP_PROXY: "http://b" }, undefined],
    ["http://kube.test", { HTTP_PROXY: "http://b", REQUEST_METHOD: "GET" }, undefined],
    ["https://localhost:6443", { HTTPS_PROXY: "http://a" }, undefined],
    ["https://127.0.0.9:6443", { HTTPS_PROXY: "http://a" }, undefined],
    ["https://[::1]:6443", { HTTPS_PROXY: "http://a" }, undefined],
    ["https://kube.test", {}, undefined],
  ])("the proxy for %s with the environment %o is %s", (server, env, expected) => {
    expect(proxyFromEnvironment(server, env)).toBe(expected);
  });

  test.each([
    ["*", "https://kube.test", false],
    ["example.com", "https://example.com", false],
    ["example.com", "https://a.b.EXAMPLE.com", false],
    ["example.com", "https://notexample.com", true],
    [".example.com", "https://example.com", true],
    [".example.com", "https://a.example.com", false],
    ["*.example.com", "https://a.example.com", false],
    ["*.example.com", "https://example.com", true],
    ["example.com:6443", "https://example.com:6443", false],
    ["example.com:6443", "https://example.com", true],
    ["example.com:443", "https://example.com", false],
    ["10.0.0.0/8", "https://10.1.2.3:6443", false],
    ["10.0.0.0/8", "https://11.1.2.3:6443", true],
    ["10.0.0.0/8", "https://10.example.com", true],
    ["10.0.0.0/99", "https://10.1.2.3", true],
    ["10.1.2.3", "https://10.1.2.3", false],
    ["10.1.2.3:6443", "https://10.1.2.3", true],
    ["fd00::/8", "https://[fd00::5]:6443", false],
    ["[fd00::5]:6443", "https://[fd00::5]:6443", false],
    ["fd00::5", "https://[fd00::6]", true],
    ["[fd00::5]", "https://[fd00::5]:6443", false],
    ["::/0", "https://[fd00::5]:6443", false],
    ["::/0", "https://10.0.0.1", true],
    ["::ffff:10.0.0.0/104", "https://10.0.0.1", false],
    [" other.test , kube.test ,", "https://kube.test", false],
    ["kube.test.", "https://kube.test.", false],
    ["kube.test.", "https://kube.test", false],
    [".test.:6443", "https://kube.test.:6443", false],
    ["kube.test:", "https://kube.test:6443", false],
    [".", "https://kube.test", true],
    [":6443", "https://kube.test:6443", true],
    ["", "https://kube.test", true],
  ])("NO_PROXY %s, %s: uses the proxy: %s", (noProxy, server, expected) => {
    expect(proxied(server, noProxy)).toBe(expected);
  });
});

describe("choosing the proxy of a connection", () => {
  async function proxyOf(cluster: object, options: ConnectionOptions = {}) {
    await using dir = await folder();
    const path = await dir.write(
      "config",
      kubeconfig({ cluster: { server: "https://kube.test", ...cluster } }),
    );
    const config = await resolveConfig({ ...nowhere, env: {}, kubeconfig: path, ...options });
    createTransport(config);
    expect(
      `${inspect(config, { depth: 9, showHidden: true })}${JSON.stringify(config)}`,
    ).not.toContain("canary");
    return config.proxy?.reveal();
  }

  test("K13: prefers the caller's, then the cluster's despite NO_PROXY, then the environment's, then none", async () => {
    const env = { HTTPS_PROXY: "http://env", NO_PROXY: "" };
    const cluster = { "proxy-url": "http://u:canary@cluster:3128" };
    expect(await proxyOf(cluster, { env, proxy: "http://canary@mine" })).toBe("http://canary@mine");
    expect(await proxyOf(cluster, { env: { ...env, NO_PROXY: "*" } })).toBe(cluster["proxy-url"]);
    expect(await proxyOf({}, { env })).toBe("http://env");
    expect(await proxyOf({}, { env: { ...env, NO_PROXY: "kube.test" } })).toBeUndefined();
    expect(await proxyOf(cluster, { env, proxy: false })).toBeUndefined();
    for (const url of ["https://cluster", "socks5://u:canary@cluster", "socks5h://cluster:1"]) {
      expect(await proxyOf({ "proxy-url": url })).toBe(url);
    }
    const direct = { ...nowhere, env, server: "https://other.test" };
    expect((await resolveConfig(direct)).proxy?.reveal()).toBe("http://env");
  });

  test("uses https rules for a server without a scheme but with TLS material, http rules otherwise", async () => {
    const env = { HTTPS_PROXY: "http://s", HTTP_PROXY: "http://h", NO_PROXY: "10.0.0.0/8" };
    const proxyFor = async (options: ConnectionOptions) =>
      (await resolveConfig({ ...nowhere, env, ...options })).proxy?.reveal();
    expect(await proxyFor({ server: "localhost:8001" })).toBeUndefined();
    expect(await proxyFor({ server: "10.0.0.1:6443" })).toBeUndefined();
    expect(await proxyFor({ server: "192.0.2.1:6443" })).toBe("http://h");
    expect(await proxyFor({ server: "kube.test:6443" })).toBe("http://h");
    expect(await proxyFor({ server: "kube.test:6443", insecureSkipVerify: true })).toBe("http://s");
    expect(await proxyOf({ server: "192.0.2.1:6443" }, { env, ca: rootCertificates[0] })).toBe(
      "http://s",
    );
  });

  test.each(["socks4://u:canary@p", "ftp://canary", "http://"])(
    "K13: rejects %s without showing it",
    async (url) => {
      const error = await failure(proxyOf({ "proxy-url": url }));
      expect(error.message).toContain("the proxy for https://kube.test");
      expect(hasConfigProblem(error, "Invalid")).toBe(true);
      expect(inspect(error, { depth: 9 })).not.toContain("canary");
    },
  );

  test("H40: redacts the password of a proxy-url in a loaded kubeconfig", async () => {
    await using dir = await folder();
    const cluster = { server: "https://kube.test", "proxy-url": "http://u:canary@p:1" };
    const loaded = await loadKubeconfig({
      path: await dir.write("config", kubeconfig({ cluster })),
    });
    expect(loaded.clusters.get("c")?.value["proxy-url"]).toContain("canary");
    const shown = `${inspect(loaded, { depth: 9, showHidden: true })}${JSON.stringify([...loaded.clusters])}`;
    expect(shown).not.toContain("canary");
    expect(shown).toContain("https://kube.test");
  });
});
