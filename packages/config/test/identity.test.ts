import { join } from "node:path";
import {
  failure,
  folder,
  kubeconfig,
  type TestFolder,
} from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { anonymous, type ConnectionOptions, resolveConfig } from "../src/index.js";

/** Isolates a test from the machine: no environment, no home directory, no service account. */
const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };

/** A plugin that does not exist: running it would fail. */
const exec = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "no-such-plugin",
  interactiveMode: "Never",
};

async function resolveFile(dir: TestFolder, content: object, options: ConnectionOptions = {}) {
  const path = await dir.write("config", content);
  return resolveConfig({ ...nowhere, kubeconfig: path, ...options });
}

describe("impersonation and anonymous connections", () => {
  const as = {
    token: "t",
    as: "jane",
    "as-uid": "42",
    "as-groups": ["devs"],
    "as-user-extra": { scopes: ["view"] },
  };
  const jane = { user: "jane", uid: "42", groups: ["devs"], extra: { scopes: ["view"] } };

  test("K17: passes on user, uid, groups and extra; the caller's impersonation replaces them", async () => {
    await using dir = await folder();
    const config = await resolveFile(dir, kubeconfig({ user: as }));
    expect(config.impersonate).toEqual(jane);
    const bob = { user: "bob" };
    const other = await resolveFile(dir, kubeconfig({ user: as }), { impersonate: bob });
    expect(other.impersonate).toEqual(bob);
    const plain = await resolveConfig({ ...nowhere, server: "https://k", impersonate: bob });
    expect(plain.impersonate).toEqual(bob);
    // A token of the caller does not disable impersonation.
    const own = await resolveFile(dir, kubeconfig({ user: as }), { token: "own" });
    expect(own.impersonate).toEqual(jane);
    const http = { server: "http://localhost:8080" };
    const empty = { token: "t", as: "jane", "as-user-extra": { scopes: null, reason: [] } };
    expect((await resolveFile(dir, kubeconfig({ user: empty }))).impersonate).toEqual({
      user: "jane",
      extra: { scopes: [], reason: [] },
    });
    const open = await resolveFile(dir, kubeconfig({ user: as, cluster: http }));
    // K27 concerns credentials only; without the impersonated user a proxy's own permissions would apply.
    expect(open.impersonate).toMatchObject({ user: "jane" });
  });

  test("H41: anonymous keeps server, CA and server name, and drops the user without reading its files", async () => {
    await using dir = await folder();
    await dir.write("ca.crt", "CA");
    const cluster = {
      server: "https://kube",
      "certificate-authority": "ca.crt",
      "tls-server-name": "inner",
    };
    const expected = {
      server: "https://kube",
      tls: { ca: "CA", serverName: "inner" },
      tlsFiles: { ca: join(dir.path, "ca.crt") },
      namespace: "default",
      contextName: "main",
    };
    const missing = { "client-certificate": "/none", "client-key": "/none", exec };
    for (const user of [as, missing]) {
      const content = kubeconfig({ cluster, user });
      expect(await resolveFile(dir, content, { anonymous: true })).toEqual(expected);
    }
    await dir.write("c.crt", "CERT");
    await dir.write("c.key", "KEY");
    const user = { ...as, "client-certificate": "c.crt", "client-key": "c.key" };
    const config = await resolveFile(dir, kubeconfig({ cluster, user }));
    expect(config.tlsFiles).toEqual({
      ca: join(dir.path, "ca.crt"),
      cert: join(dir.path, "c.crt"),
      key: join(dir.path, "c.key"),
    });
    expect(anonymous(config)).toEqual(expected);
    const both = resolveFile(dir, kubeconfig(), { anonymous: true, token: "t" });
    expect((await failure(both)).message).toContain("combined with credentials");
  });

  test("K14: does not follow files whose material the caller replaces", async () => {
    await using dir = await folder();
    await dir.write("ca.crt", "CA");
    await dir.write("c.crt", "CERT");
    await dir.write("c.key", "KEY");
    const cluster = { server: "https://kube", "certificate-authority": "ca.crt" };
    const user = { "client-certificate": "c.crt", "client-key": "c.key" };
    const pem = { ca: "CA2", cert: "C2", key: "K2" };
    const config = await resolveFile(dir, kubeconfig({ cluster, user }), pem);
    expect(config.tls).toEqual(pem);
    expect(config).not.toHaveProperty("tlsFiles");
  });
});
