import { KubeError } from "@typekube/core";
import { kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { expect, test } from "vitest";
import { type ConnectionOptions, resolveConfig } from "../src/index.js";

/** Isolates a test from the machine: no environment, no home directory, no service account. */
const nowhere = { env: {}, homeDir: "/no/such/home", serviceAccountDir: "/no/such/account" };

/** Per option, values of a wrong type that JavaScript callers and configuration files can pass. */
const wrong: { readonly [K in keyof Required<ConnectionOptions>]: readonly unknown[] } = {
  anonymous: ["false", 1, {}],
  ca: [5, {}, ["PEM"]],
  cert: [5, {}],
  clock: ["now", {}, { now: () => 0 }],
  context: [5, {}, ["main"]],
  env: ["PATH=/bin", 5],
  execPlugins: [
    "nope",
    5,
    true,
    {},
    null,
    [5],
    [null],
    [{ command: "x", env: "P" }],
    [{ command: "x", args: [1] }],
  ],
  execPluginTimeoutMs: ["nope", Number.NaN, -1],
  fileReferences: ["nope", "/etc", 5, true, {}, null, () => true, [5], [""], ["/etc", null]],
  homeDir: [5, {}],
  impersonate: ["alice", "", 5, []],
  inCluster: ["false", 0],
  insecureSkipVerify: ["false", 1],
  kubeconfig: [5, true, []],
  key: [5, {}],
  namespace: [5, {}, ["shop"]],
  password: [5, {}],
  proxy: [5, true, {}],
  server: [5, null, new URL("https://kube")],
  serverName: [5, {}],
  serviceAccountDir: [5, {}],
  signal: ["nope", {}, new AbortController()],
  stdin: ["nope", 5],
  timeoutMs: ["nope", {}, Number.NaN, -1],
  token: [5, {}, null],
  tokenFile: [5, {}],
  username: [5, {}],
};
const cases = Object.entries(wrong).flatMap(([name, values]) =>
  values.map((value) => ({ name, value })),
);

test.each(cases)("the option $name rejects $value as an invalid argument", async (given) => {
  const options = { ...nowhere, kubeconfig: kubeconfig(), [given.name]: given.value };
  const error: unknown = await resolveConfig(options as ConnectionOptions).catch((e) => e);
  expect(error).toBeInstanceOf(KubeError);
  expect(error).toMatchObject({ code: "InvalidArgument" });
  expect((error as KubeError).message).toContain(given.name);
});

test("an error about a secret's type does not contain its value", async () => {
  const token = { value: "canary" } as never;
  const error = await resolveConfig({ ...nowhere, server: "https://kube", token }).catch((e) => e);
  expect(`${error}`).toMatch(/token: must be/);
  expect(`${error}`).not.toContain("canary");
});
