import { join } from "node:path";
import { inspect } from "node:util";
import {
  failure,
  folder,
  kubeconfig,
  type TestFolder,
} from "@typekube/test-support/kubeconfig-files";
import { createTransport, reveal, type Secret } from "@typekube/transport";
import { describe, expect, test } from "vitest";
import { type ConnectionOptions, hasConfigProblem, resolveConfig } from "../src/index.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
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

describe("resolving a context", () => {
  test("returns server, token, namespace and context name, ready for createTransport", async () => {
    await using dir = await folder();
    const config = await resolveFile(dir, kubeconfig({ context: { namespace: "prod" } }));
    expect(config).toMatchObject({
      server: "https://kube:6443",
      namespace: "prod",
      contextName: "main",
    });
    expect(await config.auth?.headers()).toEqual({ authorization: "Bearer t" });
    expect(createTransport(config).server).toBe("https://kube:6443");
  });

  test("K13, K11: passes on TLS fields, CA data and disable-compression", async () => {
    await using dir = await folder();
    const cluster = {
      server: "https://kube",
      "certificate-authority-data": base64("PEM"),
      "tls-server-name": "inner",
      "disable-compression": true,
    };
    const config = await resolveFile(dir, kubeconfig({ cluster }));
    expect(config.tls).toEqual({ ca: "PEM", serverName: "inner" });
    expect(config.disableCompression).toBe(true);
    const insecure = { server: "https://kube", "insecure-skip-tls-verify": true };
    expect((await resolveFile(dir, kubeconfig({ cluster: insecure }))).tls).toEqual({
      insecureSkipVerify: true,
    });
  });

  test("K7, K14: reads certificate, key and CA from files next to the kubeconfig", async () => {
    await using dir = await folder();
    await dir.write("ca.crt", "CA");
    await dir.write("c.crt", "CERT");
    await dir.write("c.key", "KEY");
    const config = await resolveFile(
      dir,
      kubeconfig({
        cluster: { server: "https://kube", "certificate-authority": "ca.crt" },
        user: { "client-certificate": "c.crt", "client-key": "c.key" },
      }),
    );
    expect(config.tls).toMatchObject({ ca: "CA", cert: "CERT" });
    expect(reveal(config.tls.key as Secret)).toBe("KEY");
    expect(config.auth).toBeUndefined();
  });

  test("K14: ignores a key without a certificate and does not read it", async () => {
    await using dir = await folder();
    const user = { token: "t", "client-key": "/none" };
    const config = await resolveFile(dir, kubeconfig({ user }));
    expect(config.tls).toEqual({});
    expect(await config.auth?.headers()).toEqual({ authorization: "Bearer t" });
  });

  test("K15: uses the token first and its file afterwards; reads a file alone", async () => {
    await using dir = await folder();
    await dir.write("token", "from-file");
    const both = await resolveFile(
      dir,
      kubeconfig({ user: { token: "first", tokenFile: "token" } }),
    );
    expect(await both.auth?.headers()).toEqual({ authorization: "Bearer first" });
    expect(await both.auth?.refresh?.()).toBe(true);
    expect(await both.auth?.headers()).toEqual({ authorization: "Bearer from-file" });
    const alone = await resolveFile(dir, kubeconfig({ user: { tokenFile: "token" } }));
    expect(await alone.auth?.headers()).toEqual({ authorization: "Bearer from-file" });
  });

  test("K16: uses user and password, and rejects them together with a token", async () => {
    await using dir = await folder();
    const user = { username: "a", password: "b" };
    const config = await resolveFile(dir, kubeconfig({ user }));
    expect(await config.auth?.headers()).toEqual({ authorization: `Basic ${base64("a:b")}` });
    const both = resolveFile(dir, kubeconfig({ user: { ...user, token: "t" } }));
    expect((await failure(both)).message).toContain("both a token and a user name");
  });

  test("K27: reads no credentials for an http server", async () => {
    await using dir = await folder();
    const user = {
      exec,
      "client-certificate": "/none",
      "client-key": "/none",
    };
    const cluster = { server: "http://localhost:8080" };
    const config = await resolveFile(dir, kubeconfig({ cluster, user }));
    expect(config.auth).toBeUndefined();
    expect(config.tls).toEqual({});
  });

  test("connects anonymously with a context without a user", async () => {
    await using dir = await folder();
    expect((await resolveFile(dir, kubeconfig({ context: { user: "" } }))).auth).toBeUndefined();
  });
});

describe("options of the caller", () => {
  test("with a server alone reads no kubeconfig and sends no credentials of one", async () => {
    await using dir = await folder();
    const broken = await dir.write("config", "not: [yaml");
    const config = await resolveConfig({ env: { KUBECONFIG: broken }, server: "https://other" });
    expect(config).toEqual({ server: "https://other", tls: {}, namespace: "default" });
    const full = await resolveConfig({
      ...nowhere,
      server: "https://other",
      ca: "CA",
      cert: "CERT",
      key: "KEY",
      serverName: "name",
      token: "mine",
      namespace: "ns",
    });
    expect(full.tls).toEqual({ ca: "CA", cert: "CERT", key: "KEY", serverName: "name" });
    expect(full.namespace).toBe("ns");
    expect(await full.auth?.headers()).toEqual({ authorization: "Bearer mine" });
  });

  test("K11: insecureSkipVerify clears the file's CA; a CA replaces its data", async () => {
    await using dir = await folder();
    const cluster = { server: "https://kube", "certificate-authority-data": base64("PEM") };
    const content = kubeconfig({ cluster });
    expect((await resolveFile(dir, content, { insecureSkipVerify: true })).tls).toEqual({
      insecureSkipVerify: true,
    });
    expect((await resolveFile(dir, content, { ca: "OTHER" })).tls).toEqual({ ca: "OTHER" });
  });

  test("K12: another server clears tls-server-name unless serverName is given", async () => {
    await using dir = await folder();
    const content = kubeconfig({ cluster: { server: "https://kube", "tls-server-name": "n" } });
    const server = "https://other";
    expect(await resolveFile(dir, content, { server })).toMatchObject({ server, tls: {} });
    expect((await resolveFile(dir, content, { server })).tls).toEqual({});
    expect((await resolveFile(dir, content, { server, serverName: "m" })).tls).toEqual({
      serverName: "m",
    });
  });

  test("K14: certificate and key replace the file's pair; a token replaces its credentials", async () => {
    await using dir = await folder();
    const user = { "client-certificate": "/none", "client-key": "/none", exec };
    const config = await resolveFile(dir, kubeconfig({ user }), {
      cert: "CERT",
      key: "KEY",
      token: "mine",
    });
    expect(config.tls).toEqual({ cert: "CERT", key: "KEY" });
    expect(await config.auth?.headers()).toEqual({ authorization: "Bearer mine" });
  });

  test("S1: rejects a token together with a password", async () => {
    const error = await failure(
      resolveConfig({ ...nowhere, server: "https://k", token: "t", username: "u" }),
    );
    expect(error.message).toContain("a token cannot be combined");
  });
});

describe("errors", () => {
  test("K18, K19: names a context that does not exist, and those that do", async () => {
    await using dir = await folder();
    const error = await failure(resolveFile(dir, kubeconfig(), { context: "prod" }));
    expect(error.message).toContain('the context "prod" does not exist');
    expect(error.message).toContain('has: "main"');
    expect(hasConfigProblem(error, "ContextMissing")).toBe(true);
    const unset = await failure(resolveFile(dir, kubeconfig({ extra: { "current-context": "" } })));
    expect(unset.message).toContain("no current-context is set");
  });

  test("K19: a missing configuration has its own problem kind and a hint", async () => {
    const error = await failure(resolveConfig(nowhere));
    expect(hasConfigProblem(error, "Empty")).toBe(true);
    expect(error.message).toContain(join("/no/such/home", ".kube", "config"));
    expect(error.message).toContain("set KUBECONFIG");
  });

  test.each([
    ["an empty cluster", { cluster: {} }, 'the cluster "c" is empty'],
    ["no server", { cluster: { "tls-server-name": "x" } }, 'the cluster "c" has no server'],
    [
      "an unknown cluster",
      { context: { cluster: "x" } },
      'the cluster "x" of context "main" does not exist',
    ],
    [
      "an unknown user",
      { context: { user: "x" } },
      'the user "x" of context "main" does not exist',
    ],
    [
      "K14: both a certificate file and certificate data",
      { user: { "client-certificate": "a", "client-certificate-data": "b", "client-key": "c" } },
      "both client-certificate and",
    ],
    [
      "a certificate without a key",
      { user: { "client-certificate": "a" } },
      "a client certificate without a key",
    ],
    [
      "K17: an impersonated uid without a user",
      { user: { "as-uid": "1" } },
      "without a user to impersonate",
    ],
    [
      "data that is not base64",
      { cluster: { server: "https://k", "certificate-authority-data": "%" } },
      "is not base64",
    ],
    [
      "a CA file that does not exist",
      { cluster: { server: "https://k", "certificate-authority": "/none" } },
      "/none cannot be read (ENOENT)",
    ],
  ])("K19, K20: the error of a kubeconfig reports %s", async (_name, parts, expected) => {
    await using dir = await folder();
    expect((await failure(resolveFile(dir, kubeconfig(parts)))).message).toContain(expected);
  });

  test("K20: reports all problems of a context in one error", async () => {
    await using dir = await folder();
    const parts = { cluster: { "tls-server-name": "x" }, user: { "client-certificate": "a" } };
    const error = await failure(resolveFile(dir, kubeconfig(parts)));
    expect(error.message).toContain("has no server");
    expect(error.message).toContain("without a key");
    expect(hasConfigProblem(error, "Invalid")).toBe(true);
    expect(error.cause).toBeInstanceOf(AggregateError);
  });

  test.each([
    ["gcp", "gke-gcloud-auth-plugin"],
    ["azure", "kubelogin"],
    ["ldap", "is not supported"],
  ])("rejects the auth-provider %s with a hint", async (name, expected) => {
    await using dir = await folder();
    const user = { "auth-provider": { name, config: { "access-token": "canary" } } };
    const error = await failure(resolveFile(dir, kubeconfig({ user })));
    expect(error.message).toContain(`the auth-provider ${name}`);
    expect(error.message).toContain(expected);
    expect(hasConfigProblem(error, "Unsupported")).toBe(true);
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  });
});

describe("H40: secrets", () => {
  test("a resolved configuration shows no secret", async () => {
    await using dir = await folder();
    for (const user of [
      { token: "canary" },
      { username: "u", password: "canary" },
      { "client-certificate-data": base64("CERT"), "client-key-data": base64("canary") },
    ]) {
      const config = await resolveFile(dir, kubeconfig({ user }));
      for (const shown of [
        inspect(config, { depth: 9, showHidden: true }),
        JSON.stringify(config),
      ]) {
        expect(shown).not.toContain("canary");
        expect(shown).not.toContain(base64("canary"));
        expect(shown).not.toContain(base64("u:canary"));
        expect(shown).toContain("[redacted");
      }
    }
  });
});
