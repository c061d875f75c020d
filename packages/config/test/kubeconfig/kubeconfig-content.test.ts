import { resolve } from "node:path";
import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import {
  exportKubeconfig,
  loadKubeconfig,
  parseKubeconfig,
  resolveConfig,
  selectContext,
} from "../../src/index.js";

const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };
const canary = "canary-token-5fc1";
const text = `apiVersion: v1
kind: Config
current-context: main
clusters:
- {name: c, cluster: {server: "https://kube:6443", certificate-authority: ca.pem}}
users:
- {name: u, user: {token: ${canary}}}
contexts:
- {name: main, context: {cluster: c, user: u, namespace: shop}}
- {name: other, context: {cluster: gone}}
`;
const json = JSON.stringify(kubeconfig({ user: { token: canary } }));

/** Returns everything of an error that a person may see. */
function shown(error: unknown): string {
  const { message, stack, cause } = error as Error;
  return [message, stack, inspect(error, { depth: 9 }), String(cause)].join("\n");
}

describe("kubeconfig content in place of a path", () => {
  test.each([
    ["YAML", text.replace(", certificate-authority: ca.pem", "")],
    ["JSON on one line", json],
    ["YAML with a leading line break", `\n${text.replace(", certificate-authority: ca.pem", "")}`],
  ])("connect accepts kubeconfig content that is %s", async (_what, content) => {
    const config = await resolveConfig({ ...nowhere, kubeconfig: content });
    expect(config.server).toBe("https://kube:6443");
    expect(await config.auth?.headers()).toEqual({ authorization: `Bearer ${canary}` });
  });

  test("connect accepts an object in the shape of the file, and a loaded kubeconfig", async () => {
    const content = kubeconfig({ user: { token: canary } }) as Record<string, unknown>;
    for (const each of [content, await parseKubeconfig(content)]) {
      const config = await resolveConfig({ ...nowhere, kubeconfig: each });
      expect(await config.auth?.headers()).toEqual({ authorization: `Bearer ${canary}` });
    }
  });

  test.each([
    ["path", (content: string) => loadKubeconfig({ path: content })],
    ["KUBECONFIG", (content: string) => loadKubeconfig({ env: { KUBECONFIG: content } })],
  ])(
    "rejects content as %s without quoting it, and names parseKubeconfig()",
    async (_name, load) => {
      for (const content of [text, json, canary.repeat(100)]) {
        const error = await failure(load(content));
        expect(shown(error)).not.toContain("canary");
        expect(error.message).toContain("parseKubeconfig()");
      }
    },
  );

  test.each([
    ["a number", 7],
    ["a list", [{ server: "https://kube" }]],
    ["bytes", Buffer.from(text)],
    ["null", null],
  ])("rejects %s as a kubeconfig", async (_what, content) => {
    const error = await resolveConfig({ ...nowhere, kubeconfig: content as never }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(KubeError);
    expect(error).toMatchObject({ code: "InvalidArgument" });
    expect(shown(error)).toContain(
      "a kubeconfig must be YAML text or an object with the file's structure",
    );
    expect(shown(error)).not.toContain("canary");
  });

  test("errors contain the line and the field, but no value", async () => {
    const broken = await failure(parseKubeconfig(`users:\n- token: ${canary}\n bad`));
    expect(broken.message).toContain("kubeconfig text:3:");
    const typed = await failure(parseKubeconfig({ users: [{ name: canary, user: canary }] }));
    expect(typed.message).toContain("kubeconfig object: users[0].user: must be a map");
    expect(shown(broken) + shown(typed)).not.toContain("canary");
  });

  test("resolves relative paths against the given folder", async () => {
    const { clusters } = await parseKubeconfig(text, { folder: "/etc/kube" });
    expect(clusters.get("c")?.value["certificate-authority"]).toBe(resolve("/etc/kube/ca.pem"));
  });
});

test.each([
  ["tokenFile", { tokenFile: `${canary}\nsecond line` }],
  ["client-certificate", { "client-certificate": `${canary}: x`, "client-key": "/none" }],
])("does not show content in place of the path in %s", async (_field, user) => {
  const config = parseKubeconfig(kubeconfig({ user }) as never, { folder: "/" });
  const error = await failure(
    resolveConfig({ ...nowhere, kubeconfig: await config }).then(({ auth }) => auth?.headers()),
  );
  expect(error.message).toContain("characters, not a path]");
  expect(shown(error)).not.toContain("canary");
});

describe("the current context", () => {
  test("returns the cluster, user and namespace of the current and of another context", async () => {
    const loaded = await parseKubeconfig(text, { folder: "/" });
    const { context, cluster, user } = selectContext(loaded);
    expect([context.name, context.value.namespace, cluster?.value.server, user?.name]).toEqual([
      "main",
      "shop",
      "https://kube:6443",
      "u",
    ]);
    expect(selectContext(loaded, "other")).toMatchObject({ cluster: undefined, user: undefined });
    const error = await failure(Promise.resolve().then(() => selectContext(loaded, "x")));
    expect(error.message).toContain(
      'the context "x" does not exist; kubeconfig text has: "main", "other"',
    );
  });
});

describe("exporting a kubeconfig as YAML", () => {
  test("parses back to an equal kubeconfig with secrets; without them it shows none", async () => {
    const loaded = await parseKubeconfig(text, { folder: "/" });
    const raw = await exportKubeconfig(loaded, { secrets: true });
    expect(await parseKubeconfig(raw)).toEqual(loaded);
    const view = await exportKubeconfig(loaded);
    expect(view).not.toContain("canary");
    expect((await parseKubeconfig(view)).users.get("u")?.value.token).toBe("[redacted]");
  });

  test("exports one context with its cluster and its user only", async () => {
    const loaded = await parseKubeconfig(text, { folder: "/" });
    const one = await parseKubeconfig(await exportKubeconfig(loaded, { context: true }));
    expect([[...one.contexts.keys()], [...one.clusters.keys()], one.currentContext]).toEqual([
      ["main"],
      ["c"],
      "main",
    ]);
    const other = await parseKubeconfig(await exportKubeconfig(loaded, { context: "other" }));
    expect([[...other.contexts.keys()], other.clusters.size, other.users.size]).toEqual([
      ["other"],
      0,
      0,
    ]);
  });

  test("redacts plugin arguments and passwords of a file too", async () => {
    await using dir = await folder();
    const exec = {
      apiVersion: "v1",
      command: "x",
      args: [canary],
      env: [{ name: "A", value: canary }],
    };
    const path = await dir.write("config", kubeconfig({ user: { password: canary, exec } }));
    expect(await exportKubeconfig(await loadKubeconfig({ path }))).not.toContain("canary");
  });
});
