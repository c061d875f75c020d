import { writeFile } from "node:fs/promises";
import { basename, delimiter, join, sep } from "node:path";
import { inspect } from "node:util";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { hasConfigProblem, isEmptyKubeconfig, loadKubeconfig } from "../../src/index.js";

const list = (...paths: string[]) => ({ KUBECONFIG: paths.join(delimiter) });

describe("choosing files", () => {
  test("K1: rejects an explicit file that does not exist, naming it", async () => {
    await using dir = await folder();
    const path = join(dir.path, "none");
    const error = await failure(loadKubeconfig({ path }));
    expect(error.message).toContain(path);
    expect(hasConfigProblem(error, "FileMissing")).toBe(true);
  });

  test("K1: skips missing files of a list and reports them", async () => {
    await using dir = await folder();
    const there = await dir.write("a", kubeconfig());
    const none = join(dir.path, "none");
    const loaded = await loadKubeconfig({ env: list(none, there) });
    expect(loaded.files).toEqual([there]);
    expect(loaded.missingFiles).toEqual([none]);
    const nothing = await loadKubeconfig({ env: list(none) });
    expect(isEmptyKubeconfig(nothing)).toBe(true);
    expect(nothing.missingFiles).toEqual([none]);
  });

  test("K1: reads .kube/config in the home directory without KUBECONFIG", async () => {
    await using dir = await folder();
    const path = await dir.write(".kube/config", kubeconfig());
    expect((await loadKubeconfig({ env: {}, homeDir: dir.path })).files).toEqual([path]);
  });

  test("K2: reports all problems of all files in one error that names the files", async () => {
    await using dir = await folder();
    const broken = await dir.write("broken", "a: [1,\nb: {");
    const typed = await dir.write("typed", { clusters: [{ name: "c", cluster: { server: 7 } }] });
    const error = await failure(loadKubeconfig({ env: list(broken, typed, dir.path) }));
    expect(error.message).toContain(`${broken}:2:1 is not YAML`);
    expect(error.message).toContain(`${typed}: clusters[0].cluster.server: must be of type string`);
    expect(error.message).toContain(
      `${dir.path} cannot be read (the path names a folder, not a regular file)`,
    );
    expect(hasConfigProblem(error, "Malformed")).toBe(true);
  });

  test("K28: reads a file named twice only once", async () => {
    await using dir = await folder();
    const path = await dir.write("a", kubeconfig());
    const twice = `${dir.path}${sep}..${sep}${basename(dir.path)}${sep}a`;
    expect((await loadKubeconfig({ env: list(path, "", twice, path) })).files).toEqual([path]);
  });
});

describe("merging", () => {
  test("K3: uses the current-context of the first file that sets one", async () => {
    await using dir = await folder();
    const none = await dir.write("none", { "current-context": "" });
    const a = await dir.write("a", { "current-context": "a" });
    const b = await dir.write("b", { "current-context": "b" });
    expect((await loadKubeconfig({ env: list(none, a, b) })).currentContext).toBe("a");
  });

  test("K4: uses the first file's entry as a whole and mixes in nothing from later ones", async () => {
    await using dir = await folder();
    const a = await dir.write("a", kubeconfig({ user: { username: "a" } }));
    const b = await dir.write("b", {
      ...kubeconfig({
        cluster: { server: "https://b", "tls-server-name": "b" },
        user: { token: "b" },
      }),
      contexts: [{ name: "other", context: { cluster: "c", namespace: "b" } }],
    });
    const loaded = await loadKubeconfig({ env: list(a, b) });
    expect(loaded.clusters.get("c")).toEqual({
      name: "c",
      file: a,
      value: { server: "https://kube:6443" },
    });
    expect({ ...loaded.users.get("u")?.value }).toEqual({ username: "a" });
    expect([...loaded.contexts.keys()]).toEqual(["main", "other"]);
  });

  test.each([
    ["clusters", { clusters: [{ name: "x" }, { name: "x" }] }],
    ["users", { users: [{ name: "x" }, { name: "x" }] }],
    ["contexts", { contexts: [{ name: "x" }, { name: "x" }] }],
    ["extensions", { extensions: [{ name: "x" }, { name: "x" }] }],
    [
      'clusters "c" extensions',
      { clusters: [{ name: "c", cluster: { extensions: [{ name: "x" }, { name: "x" }] } }] },
    ],
  ])("K5: rejects a duplicate name in %s of one file", async (where, content) => {
    await using dir = await folder();
    const path = await dir.write("a", content);
    const error = await failure(loadKubeconfig({ path }));
    expect(error.message).toContain(`${path}: ${where}: duplicate name "x"`);
  });

  test.each([
    ["an empty file", ""],
    ["comments only", "# nothing\n"],
    ["empty lists", "apiVersion: v1\nkind: Config\nclusters: []\nusers: {}\n".replace("{}", "[]")],
    ["null everywhere", "clusters: null\nusers: ~\ncontexts:\ncurrent-context: null\n"],
  ])("K6: loads %s as an empty configuration", async (_name, text) => {
    await using dir = await folder();
    const loaded = await loadKubeconfig({ path: await dir.write("a", text) });
    expect(isEmptyKubeconfig(loaded)).toBe(true);
  });

  test("K6: reads JSON with tabs like YAML, and keeps unknown fields and extensions", async () => {
    await using dir = await folder();
    const cluster = {
      server: "https://k",
      future: [1, { a: null }],
      extensions: [{ name: "e", extension: { x: 1 } }],
    };
    const content = kubeconfig({ cluster });
    const json = await dir.write("a.json", JSON.stringify(content, null, "\t"));
    const yaml = await dir.write(
      "a.yaml",
      "clusters:\n- name: c\n  cluster: {server: 'https://k', future: [1, {a: null}], extensions: [{name: e, extension: {x: 1}}]}\n",
    );
    for (const path of [json, yaml]) {
      expect((await loadKubeconfig({ path })).clusters.get("c")?.value).toEqual(cluster);
    }
  });

  test("K6: treats null entries and fields as absent", async () => {
    await using dir = await folder();
    const path = await dir.write(
      "a",
      "clusters:\n- name: c\n  cluster:\nusers:\n- name: u\n  user: {token: null}\n",
    );
    const loaded = await loadKubeconfig({ path });
    expect(loaded.clusters.get("c")?.value).toEqual({});
    expect(loaded.users.get("u")?.value.token).toBeNull();
  });

  test.each([
    [
      "merge keys",
      "x: &a {server: 'https://k'}\nclusters:\n- name: c\n  cluster: {<<: *a, tls-server-name: kube}\n",
    ],
    [
      "a boolean of YAML 1.1",
      "clusters:\n- name: c\n  cluster: {server: 'https://k', tls-server-name: kube, insecure-skip-tls-verify: off}\n",
    ],
    [
      "a second document, which is ignored",
      "clusters: [{name: c, cluster: {server: 'https://k', tls-server-name: kube}}]\n---\nclusters: []\n",
    ],
  ])("K6: reads YAML as kubectl does: %s", async (_name, text) => {
    await using dir = await folder();
    const { "insecure-skip-tls-verify": skips = false, ...cluster } =
      (await loadKubeconfig({ path: await dir.write("a", text) })).clusters.get("c")?.value ?? {};
    expect(cluster).toEqual({ server: "https://k", "tls-server-name": "kube" });
    expect(skips).toBe(false);
  });

  test("K6: reads a file written by PowerShell", async () => {
    await using dir = await folder();
    const text = "\ufeffcurrent-context: bühne\n";
    const utf16 = Buffer.from(text, "utf16le");
    for (const bytes of [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]) {
      const path = await dir.write("a", "");
      await writeFile(path, bytes);
      expect((await loadKubeconfig({ path })).currentContext).toBe("bühne");
    }
  });

  test("K7: resolves relative paths against the folder of their file", async () => {
    await using dir = await folder();
    const entry = (name: string, command: string) => ({
      clusters: [{ name, cluster: { "certificate-authority": "ca.crt" } }],
      users: [
        {
          name,
          user: {
            "client-certificate": "../c.crt",
            "client-key": "/abs/c.key",
            tokenFile: "t",
            exec: { command },
          },
        },
      ],
    });
    const a = await dir.write("one/a", entry("a", "./plugin"));
    const b = await dir.write("two/b", entry("b", "plugin"));
    const loaded = await loadKubeconfig({ env: list(a, b) });
    const at = (...parts: string[]) => join(dir.path, ...parts);
    expect(loaded.clusters.get("a")?.value["certificate-authority"]).toBe(at("one", "ca.crt"));
    expect(loaded.clusters.get("b")?.value["certificate-authority"]).toBe(at("two", "ca.crt"));
    expect({ ...loaded.users.get("a")?.value }).toEqual({
      "client-certificate": at("c.crt"),
      "client-key": "/abs/c.key",
      tokenFile: at("one", "t"),
      exec: { command: at("one", "plugin") },
    });
    expect(loaded.users.get("b")?.value.exec?.command).toBe("plugin");
  });
});

describe("error messages", () => {
  test.each([
    [{ kind: "Pod" }, 'kind: must be "Config"'],
    [
      { users: [{ name: "u", user: { token: 12345 } }] },
      "users[0].user.token: must be of type string",
    ],
    [{ clusters: { c: {} } }, "clusters: must be of type array"],
    [["a"], "the file: must be a map"],
  ])("%j: names the field path but not the value", async (content, expected) => {
    await using dir = await folder();
    const error = await failure(loadKubeconfig({ path: await dir.write("a", content) }));
    expect(error.message).toContain(expected);
    expect(inspect(error)).not.toContain("12345");
  });

  test.each([
    "users:\n- name: u\n  user: {token: canary: x}",
    "a: 'canary\n",
    "token: *canary",
    "a: !canary x",
    '{"token": "canary" "b"}',
  ])("H40: malformed YAML is reported with its position but without its text: %j", async (text) => {
    await using dir = await folder();
    const error = await failure(loadKubeconfig({ path: await dir.write("a", text) }));
    expect(error.message).toMatch(/a:\d+:\d+ is not YAML/);
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  });

  test("H40: redacts the secrets of a loaded kubeconfig in inspect and JSON, and still contains them", async () => {
    await using dir = await folder();
    const exec = { command: "plugin", args: ["canary"], env: [{ name: "A", value: "canary" }] };
    const user = {
      token: "canary",
      password: "canary",
      username: "visible",
      "client-key-data": "canary",
      exec,
      "auth-provider": { name: "oidc", config: { "id-token": "canary" } },
    };
    const loaded = await loadKubeconfig({ path: await dir.write("a", kubeconfig({ user })) });
    for (const shown of [
      inspect(loaded, { depth: 9 }),
      JSON.stringify([...loaded.users.values()]),
    ]) {
      expect(shown).not.toContain("canary");
      expect(shown).toContain("[redacted]");
      expect(shown).toContain("visible");
      expect(shown).toContain("plugin");
    }
    expect({ ...loaded.users.get("u")?.value }).toEqual(user);
  });
});
