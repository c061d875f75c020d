import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { hasConfigProblem, loadKubeconfig, resolveConfig } from "../../src/index.js";
import { parseYaml } from "../../src/kubeconfig/parse-yaml.js";
import { changedText } from "../../src/write/changed-text.js";
import { modifyKubeconfig, setContext, setNamespace } from "../../src/write/index.js";

/** A file as kubectl writes it, with a person's comments. */
const commented = `# clusters of the shop
apiVersion: v1
kind: Config
preferences: {}
clusters:
# the one in Berlin
- cluster:
    certificate-authority: ca/berlin.crt
    server: https://berlin:6443
    extensions:
    - name: vendor.io/region
      extension: { zone: b, weight: 0.5 }
  name: berlin
- cluster: # not reachable from home
    server: https://oslo:6443
  name: oslo

# who we are
users:
- name: anna
  user:
    client-certificate: certs/anna.crt
    client-key: /keys/anna.key
    tokenFile: token
contexts:
- context: {cluster: berlin, user: anna}
  name: berlin
- context:
    cluster: oslo
    user: anna
    namespace: shop   # ours
    vendor-field: kept
  name: oslo
current-context: berlin # the usual one
`;

const load = (...paths: string[]) => loadKubeconfig({ env: { KUBECONFIG: paths.join(":") } });

describe("changing one file", () => {
  test("rewrites only what changes: other stanzas, comments, order and unknown fields stay", async () => {
    await using dir = await folder();
    const path = await dir.write("config", commented);
    await setContext("oslo", { path });
    expect(await readFile(path, "utf8")).toBe(
      commented.replace("current-context: berlin #", "current-context: oslo #"),
    );
    await setContext("berlin", { path });
    expect(await readFile(path, "utf8")).toBe(commented);
    await setNamespace("ns/kitchen", { path, context: "oslo" });
    const text = await readFile(path, "utf8");
    expect(text).toBe(commented.replace("namespace: shop   # ours", "namespace: kitchen"));
    await modifyKubeconfig(() => {}, { path });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("appends new entries and removes deleted ones in place", async () => {
    await using dir = await folder();
    const path = await dir.write("config", commented);
    await modifyKubeconfig(
      (draft) => {
        draft.clusters.delete("oslo");
        draft.contexts.delete("oslo");
        draft.clusters.set("kind", { server: "https://127.0.0.1:1", "proxy-url": "http://p" });
        draft.contexts.set("kind", { cluster: "kind", user: "kind", namespace: undefined });
        draft.users.set("kind", { token: "multi\nline: #\"'" });
      },
      { path },
    );
    const text = await readFile(path, "utf8");
    expect(text).toContain("# the one in Berlin\n- cluster:\n    certificate-authority: ca/ber");
    expect(text).toContain("# who we are\nusers:\n- name: anna\n");
    expect(text).not.toContain("oslo");
    expect(text.indexOf("https://127.0.0.1:1")).toBeLessThan(text.indexOf("users:"));
    const loaded = await load(path);
    expect([...loaded.clusters.keys()]).toEqual(["berlin", "kind"]);
    expect(loaded.users.get("kind")?.value.token).toBe("multi\nline: #\"'");
    expect(loaded.contexts.get("kind")?.value).toEqual({ cluster: "kind", user: "kind" });
  });

  test("handles lists that are absent, null or empty, or become empty", async () => {
    await using dir = await folder();
    const path = await dir.write(
      "config",
      "kind: Config # mine\nclusters: []\nusers:\n# nobody yet\ncontexts: null\n",
    );
    const options = { path };
    await modifyKubeconfig((draft) => {
      draft.clusters.set("a", { server: "https://a" });
      draft.users.set("a", { token: "t" });
      draft.contexts.set("a", { cluster: "a", user: "a" });
      draft.currentContext = "a";
    }, options);
    expect((await readFile(path, "utf8")).split("\n")[0]).toBe("kind: Config # mine");
    expect((await resolveConfig({ kubeconfig: path, env: {} })).server).toBe("https://a");
    await modifyKubeconfig((draft) => {
      draft.users.clear();
      draft.contexts.clear();
      draft.currentContext = undefined;
    }, options);
    const loaded = await load(path);
    expect([loaded.users.size, loaded.contexts.size, loaded.clusters.size]).toEqual([0, 0, 1]);
    expect(loaded.currentContext).toBeUndefined();
    expect(await readFile(path, "utf8")).toContain("kind: Config # mine");
  });

  test.each([
    ["JSON stays JSON", JSON.stringify(kubeconfig(), null, 4), /^\{\n {4}"apiVersion"/],
    ["JSON on one line stays JSON", JSON.stringify(kubeconfig()), /^\{"apiVersion"/],
    [
      "flow lists",
      `clusters: [{name: c, cluster: {server: "https://c"}}]\ncontexts: [{name: main, context: {cluster: c}}]\n`,
      /namespace: x/,
    ],
    [
      "anchors",
      `clusters:\n- &c\n  name: c\n  cluster: {server: "https://c"}\ncontexts:\n- name: main\n  context: &m {cluster: c}\n- name: other\n  context: *m\n`,
      /namespace: x/,
    ],
    [
      "CRLF line breaks",
      `contexts:\r\n- name: main # m\r\n  context:\r\n    cluster: c\r\n- name: other\r\n  context: {}\r\n`,
      /namespace: x\r\n- name: other\r\n/,
    ],
    [
      "indented dashes, a document start and no final line break",
      `---\ncontexts:\n  # of mine\n  - name: main\n    context: {cluster: c}\n  - {name: other, context: {}}`,
      /^---\ncontexts:\n {2}# of mine\n {2}- name: main/,
    ],
    [
      "a block scalar that looks like a comment",
      `contexts:\n- name: main\n  context:\n    note: |\n      one\n      # two\nusers: []\n`,
      /# two/,
    ],
    [
      "a boolean of YAML 1.1, and an integer beyond JavaScript's numbers",
      `contexts:\n- name: main\n  context: {note: yes, large: 12345678901234567890}\n`,
      /note: true/,
    ],
    [
      "quoted names",
      `"contexts":\n- "name": 'main'\n  "context": {"cluster": 'c'}\n`,
      /namespace: x/,
    ],
  ])("%s", async (_, text, expected) => {
    await using dir = await folder();
    const path = await dir.write("config", text);
    const before = await load(path);
    await setNamespace("x", { path, context: "main" });
    expect(await readFile(path, "utf8")).toMatch(expected);
    const after = await load(path);
    expect(after.contexts.get("main")?.value).toEqual({
      ...before.contexts.get("main")?.value,
      namespace: "x",
    });
    expect(after.contexts.get("other")?.value).toEqual(before.contexts.get("other")?.value);
    expect(after.clusters).toEqual(before.clusters);
  });

  test("K7: writes paths below the folder as relative, others as absolute; unchanged ones stay", async () => {
    await using dir = await folder();
    const path = await dir.write("home/config", commented);
    const home = join(dir.path, "home");
    await modifyKubeconfig(
      (draft) => {
        const berlin = draft.clusters.get("berlin");
        expect(berlin?.["certificate-authority"]).toBe(join(home, "ca/berlin.crt"));
        draft.clusters.set("berlin", { ...berlin, server: "https://berlin:443" });
        draft.clusters.set("new", {
          server: "https://new",
          "certificate-authority": join(home, "deep/er/ca.crt"),
        });
        const anna = draft.users.get("anna");
        draft.users.set("anna", { ...anna, "client-certificate": join(dir.path, "anna.crt") });
        draft.users.set("exec", {
          exec: { apiVersion: "v1", command: join(home, "bin/login"), interactiveMode: "Never" },
        });
      },
      { path },
    );
    const text = await readFile(path, "utf8");
    expect(text).toContain("certificate-authority: ca/berlin.crt");
    expect(text).toContain("certificate-authority: deep/er/ca.crt");
    expect(text).toContain(`client-certificate: ${dir.path}/anna.crt`);
    expect(text).toContain("client-key: /keys/anna.key");
    expect(text).toContain("tokenFile: token");
    expect(text).toContain(`command: ${home}/bin/login`);
    expect(text).not.toContain("..");
  });

  test("K7: keeps a plugin's relative command as written when its user changes", async () => {
    await using dir = await folder();
    const exec = { apiVersion: "v1", command: "bin/login", interactiveMode: "Never", args: ["a"] };
    const path = await dir.write("config", kubeconfig({ user: { exec } }));
    await modifyKubeconfig(
      (draft) => {
        const user = draft.users.get("u");
        draft.users.set("u", { ...user, exec: { ...user?.exec, args: ["b"] } });
      },
      { path },
    );
    const content = JSON.parse(await readFile(path, "utf8")) as { users: { user: object }[] };
    expect(content.users[0]?.user).toEqual({ exec: { ...exec, args: ["b"] } });
  });

  test("K6, H40: keeps secrets and extensions of a changed stanza", async () => {
    await using dir = await folder();
    const user = { token: "s3cret", extensions: [{ name: "e", extension: { a: [1, null] } }] };
    const path = await dir.write("config", kubeconfig({ user }));
    await modifyKubeconfig(
      (draft) => {
        draft.users.set("u", { ...draft.users.get("u"), as: "jane" });
      },
      { path },
    );
    const content = JSON.parse(await readFile(path, "utf8")) as { users: { user: object }[] };
    expect(content.users[0]?.user).toEqual({ ...user, as: "jane" });
  });
});

test("throws when a value is changed in place, rather than losing the change", async () => {
  await using dir = await folder();
  const path = await dir.write("config", kubeconfig());
  await expect(
    modifyKubeconfig(
      (draft) => {
        Object.assign(draft.users.get("u") ?? {}, { token: "other" });
      },
      { path },
    ),
  ).rejects.toThrow(TypeError);
});

test("reads back any text as it was written, in YAML of any style", async () => {
  const odd = [
    "",
    " ",
    "a: b",
    "- x",
    "#",
    "null",
    "~",
    "true",
    "0x1f",
    "1e3",
    "'",
    '"',
    "\\",
    "|",
    "é\u{1F600}",
  ];
  const texts = [
    ...odd,
    ...odd.flatMap((one) => odd.map((other) => `${one}\n${other}`)),
    "\t",
    "\u0007",
    "\u2028",
  ];
  for (const text of ["users: []\n", commented, JSON.stringify(kubeconfig())]) {
    const before = (await parseYaml(text, "config")) as Record<string, unknown>;
    for (const token of texts) {
      const after = {
        ...before,
        users: [{ name: token, user: { token, [`x${token}`]: [token] } }],
      };
      const written = await changedText(text, before, after, "config");
      expect(await parseYaml(written, "config")).toEqual(after);
    }
  }
});

describe("changing several files", () => {
  async function three(dir: Awaited<ReturnType<typeof folder>>) {
    const of = (name: string, extra = {}) => ({
      clusters: [{ name, cluster: { server: `https://${name}` } }],
      contexts: [{ name, context: { cluster: name } }],
      ...extra,
    });
    const paths = [
      await dir.write("a/config", of("a")),
      await dir.write("b/config", of("b", { "current-context": "b" })),
      await dir.write("c/config", of("c", { "current-context": "c" })),
    ] as const;
    return { paths, env: { KUBECONFIG: paths.join(":") } };
  }

  test("K10: writes a changed stanza to its own file, a new one to the first, with mode 0600", async () => {
    await using dir = await folder();
    const { paths, env } = await three(dir);
    const before = await Promise.all(paths.map((path) => readFile(path, "utf8")));
    const written = await modifyKubeconfig(
      (draft) => {
        draft.contexts.set("b", { ...draft.contexts.get("b"), namespace: "x" });
        draft.users.set("new", { token: "t" });
      },
      { env },
    );
    expect(written).toEqual([paths[1], paths[0]]);
    const [a, b, c] = await Promise.all(paths.map((path) => readFile(path, "utf8")));
    expect(JSON.parse(a ?? "")).toMatchObject({ users: [{ name: "new", user: { token: "t" } }] });
    expect(JSON.parse(b ?? "")).toMatchObject({ contexts: [{ context: { namespace: "x" } }] });
    expect(c).toBe(before[2]);
    for (const path of [paths[0], paths[1]]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
  });

  test("K10: sets the current context in the file that sets one, and removes it from all", async () => {
    await using dir = await folder();
    const { paths, env } = await three(dir);
    await setContext("a", { env });
    const said = async () =>
      Promise.all(
        paths.map(async (path) => {
          const content = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
          return content["current-context"];
        }),
      );
    expect(await said()).toEqual([undefined, "a", "c"]);
    expect((await loadKubeconfig({ env })).currentContext).toBe("a");
    await modifyKubeconfig(
      (draft) => {
        draft.currentContext = undefined;
      },
      { env },
    );
    expect(await said()).toEqual([undefined, "", ""]);
    expect((await loadKubeconfig({ env })).currentContext).toBeUndefined();
  });

  test("K10: creates the last named file and its folder when none exists", async () => {
    await using dir = await folder();
    const paths = [join(dir.path, "no/first"), join(dir.path, "no/last")];
    const env = { KUBECONFIG: paths.join(":") };
    await modifyKubeconfig(
      (draft) => {
        draft.clusters.set("a", { server: "https://a" });
      },
      { env },
    );
    expect(await readFile(paths[1] ?? "", "utf8")).toBe(
      "apiVersion: v1\nkind: Config\nclusters:\n  - name: a\n    cluster:\n      server: https://a\n",
    );
    expect((await stat(paths[1] ?? "")).mode & 0o777).toBe(0o600);
    const path = join(dir.path, "other/named");
    await modifyKubeconfig(
      (draft) => {
        draft.currentContext = "";
        draft.clusters.set("a", { server: "https://a" });
      },
      { path },
    );
    expect((await load(path)).clusters.size).toBe(1);
  });
});

describe("safety of changes", () => {
  test("K9: changes nothing while a lock file exists; removes its own after success and failure", async () => {
    await using dir = await folder();
    const path = await dir.write("config", commented);
    await writeFile(`${path}.lock`, "");
    const error = await failure(setContext("oslo", { path }));
    expect(hasConfigProblem(error, "Locked")).toBe(true);
    expect(error.message).toContain(`${path}.lock`);
    expect(await readdir(dir.path)).toEqual(["config", "config.lock"]);
    await using other = await folder();
    const free = await other.write("config", commented);
    await modifyKubeconfig(
      async (draft) => {
        draft.currentContext = "oslo";
        expect(await readdir(other.path)).toEqual(["config", "config.lock"]);
        expect(hasConfigProblem(await failure(setContext("oslo", { path: free })), "Locked")).toBe(
          true,
        );
      },
      { path: free },
    );
    const mistake = new Error("mine");
    await expect(
      modifyKubeconfig(
        () => {
          throw mistake;
        },
        { path: free },
      ),
    ).rejects.toBe(mistake);
    expect(await readdir(other.path)).toEqual(["config"]);
    expect((await load(free)).currentContext).toBe("oslo");
  });

  test("a hundred concurrent changes of one file lose none of those that got the lock", async () => {
    await using dir = await folder();
    const path = await dir.write("config", kubeconfig());
    const tries = Array.from({ length: 100 }, (_, i) =>
      modifyKubeconfig(
        (draft) => {
          draft.contexts.set(`c${i}`, { cluster: "c" });
        },
        { path },
      ),
    );
    const made = (await Promise.allSettled(tries)).flatMap(({ status }, i) =>
      status === "fulfilled" ? [`c${i}`] : [],
    );
    expect(made.length).toBeGreaterThan(0);
    expect([...(await load(path)).contexts.keys()]).toEqual(["main", ...made]);
    expect(await readdir(dir.path)).toEqual(["config"]);
  });

  test("rejects a change that makes a kubeconfig invalid, and touches no file", async () => {
    await using dir = await folder();
    const path = await dir.write("config", commented);
    const error = await failure(
      modifyKubeconfig(
        (draft) => {
          draft.currentContext = "oslo";
          draft.users.set("anna", { token: { canary: 1 } as unknown as string });
        },
        { path },
      ),
    );
    expect(error.message).toContain("users[0].user.token");
    expect(error.message).not.toContain("canary");
    expect(await readFile(path, "utf8")).toBe(commented);
  });

  test("leaves a file alone that cannot be read or is not YAML", async () => {
    await using dir = await folder();
    const broken = await dir.write("broken", "users: [ canary");
    expect((await failure(setContext("a", { path: broken }))).message).not.toContain("canary");
    expect(await readFile(broken, "utf8")).toBe("users: [ canary");
    await mkdir(join(dir.path, "folder"));
    await failure(setContext("a", { path: join(dir.path, "folder") }));
    expect(await readdir(dir.path)).toEqual(["broken", "folder"]);
  });

  test("writes through a symbolic link and keeps the link", async () => {
    await using dir = await folder();
    const real = await dir.write("real", commented);
    const path = join(dir.path, "config");
    await symlink(real, path);
    await setContext("oslo", { path });
    expect((await load(real)).currentContext).toBe("oslo");
    expect(await readdir(dir.path)).toEqual(["config", "real"]);
  });

  test("K18: lists the existing contexts when one does not exist", async () => {
    await using dir = await folder();
    const path = await dir.write("config", commented);
    const changes = [
      () => setContext("rome", { path }),
      () => setNamespace("x", { path, context: "rome" }),
    ];
    for (const change of changes) {
      const error = await failure(change());
      expect(hasConfigProblem(error, "ContextMissing")).toBe(true);
      expect(error.message).toContain('"berlin", "oslo"');
    }
  });
});

test("K25: accepts a namespace with its kind in front, in any case", async () => {
  for (const namespace of ["ns/shop", "namespace/shop", "Namespaces/shop", "NS/shop", "shop"]) {
    const config = await resolveConfig({ server: "https://kube", namespace, env: {} });
    expect(config.namespace).toBe("shop");
  }
  const other = await resolveConfig({ server: "https://kube", namespace: "pods/shop", env: {} });
  expect(other.namespace).toBe("pods/shop");
});
