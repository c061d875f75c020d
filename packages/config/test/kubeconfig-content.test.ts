import { resolve } from "node:path";
import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { describe, expect, test } from "vitest";
import {
  exportKubeconfig,
  loadKubeconfig,
  parseKubeconfig,
  resolveConfig,
  selectContext,
} from "../src/index.js";
import { failure, folder, kubeconfig } from "./helpers/files.js";

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

/** Everything that a person may see of an error. */
function shown(error: unknown): string {
  const { message, stack, cause } = error as Error;
  return [message, stack, inspect(error, { depth: 9 }), String(cause)].join("\n");
}

describe("the content of a kubeconfig in place of its path", () => {
  test.each([
    ["YAML", text.replace(", certificate-authority: ca.pem", "")],
    ["JSON in one line", json],
    [
      "YAML that begins with a line break",
      `\n${text.replace(", certificate-authority: ca.pem", "")}`,
    ],
  ])("connect takes %s", async (_what, content) => {
    const config = await resolveConfig({ ...nowhere, kubeconfig: content });
    expect(config.server).toBe("https://kube:6443");
    expect(await config.auth?.headers()).toEqual({ authorization: `Bearer ${canary}` });
  });

  test("connect takes the object in the shape of the file, and a loaded kubeconfig", async () => {
    const content = kubeconfig({ user: { token: canary } }) as Record<string, unknown>;
    for (const each of [content, await parseKubeconfig(content)]) {
      const config = await resolveConfig({ ...nowhere, kubeconfig: each });
      expect(await config.auth?.headers()).toEqual({ authorization: `Bearer ${canary}` });
    }
  });

  test.each([
    ["path", (content: string) => loadKubeconfig({ path: content })],
    ["KUBECONFIG", (content: string) => loadKubeconfig({ env: { KUBECONFIG: content } })],
  ])("%s is refused without a word of it, with the way out", async (_name, load) => {
    for (const content of [text, json, canary.repeat(100)]) {
      const error = await failure(load(content));
      expect(shown(error)).not.toContain("canary");
      expect(error.message).toContain("parseKubeconfig()");
    }
  });

  test.each([
    ["a number", 7],
    ["a list", [{ server: "https://kube" }]],
    ["bytes", Buffer.from(text)],
    ["null", null],
  ])("%s is refused by name", async (_what, content) => {
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

  test("errors name the line and the field, and no value", async () => {
    const broken = await failure(parseKubeconfig(`users:\n- token: ${canary}\n bad`));
    expect(broken.message).toContain("kubeconfig text:3:");
    const typed = await failure(parseKubeconfig({ users: [{ name: canary, user: canary }] }));
    expect(typed.message).toContain("kubeconfig object: users[0].user: must be a map");
    expect(shown(broken) + shown(typed)).not.toContain("canary");
  });

  test("relative paths belong to the folder that is given", async () => {
    const { clusters } = await parseKubeconfig(text, { folder: "/etc/kube" });
    expect(clusters.get("c")?.value["certificate-authority"]).toBe(resolve("/etc/kube/ca.pem"));
  });
});

test.each([
  ["tokenFile", { tokenFile: `${canary}\nsecond line` }],
  ["client-certificate", { "client-certificate": `${canary}: x`, "client-key": "/none" }],
])("content in place of the path in %s is not shown", async (_field, user) => {
  const config = parseKubeconfig(kubeconfig({ user }) as never, { folder: "/" });
  const error = await failure(
    resolveConfig({ ...nowhere, kubeconfig: await config }).then(({ auth }) => auth?.headers()),
  );
  expect(error.message).toContain("characters, not a path]");
  expect(shown(error)).not.toContain("canary");
});

describe("the current context", () => {
  test("its cluster, user and namespace can be read, and those of another", async () => {
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

describe("a kubeconfig as YAML", () => {
  test("with secrets it reads back equal; without them it shows none", async () => {
    const loaded = await parseKubeconfig(text, { folder: "/" });
    const raw = await exportKubeconfig(loaded, { secrets: true });
    expect(await parseKubeconfig(raw)).toEqual(loaded);
    const view = await exportKubeconfig(loaded);
    expect(view).not.toContain("canary");
    expect((await parseKubeconfig(view)).users.get("u")?.value.token).toBe("[redacted]");
  });

  test("one context comes with its cluster and its user alone", async () => {
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

  test("a file's plugin arguments and passwords are not shown either", async () => {
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
