import {
  call,
  configMaps,
  deployments,
  type Json,
  mergePatch,
  pods,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const secrets = "/api/v1/namespaces/default/secrets";

function causes({ body }: { readonly body: Json }): [string, string][] {
  return body.details.causes.map(({ field, message }: Json) => [field, message]);
}

describe("immutable fields", () => {
  const frozen = "Forbidden: field is immutable when `immutable` is set";

  test.each([configMaps, secrets])("the data of an immutable object: %s", async (path) => {
    await using api = await startApiServer();
    await call(api, "POST", path, {
      metadata: { name: "a" },
      data: { k: "MQ==" },
      immutable: true,
    });
    const patch = (body: unknown) => call(api, "PATCH", `${path}/a`, body, mergePatch);
    const changed = await patch({ data: { k: "Mg==" } });
    expect(changed.status).toBe(422);
    expect(causes(changed)).toEqual([["data", frozen]]);
    expect(causes(await patch({ immutable: false }))).toEqual([["immutable", frozen]]);
    expect((await patch({ metadata: { labels: { a: "b" } } })).status).toBe(200);
  });

  test("the selector of a Deployment, the type of a Secret, the role of a binding", async () => {
    await using api = await startApiServer();
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    await call(api, "POST", deployments, { metadata: { name: "d" }, spec });
    const labels = { a: "c" };
    const moved = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
    const refused = await call(api, "PATCH", `${deployments}/d`, { spec: moved }, mergePatch);
    expect(causes(refused)).toEqual([
      ["spec.selector", 'Invalid value: {"matchLabels":{"a":"c"}}: field is immutable'],
    ]);
    await call(api, "POST", secrets, { metadata: { name: "s" } });
    const typed = await call(api, "PATCH", `${secrets}/s`, { type: "other" }, mergePatch);
    expect(causes(typed)).toEqual([["type", 'Invalid value: "other": field is immutable']]);
    const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
    await call(api, "POST", bindings, { metadata: { name: "b" }, roleRef });
    const other = { roleRef: { name: "other" } };
    const [[field, message] = []] = causes(
      await call(api, "PATCH", `${bindings}/b`, other, mergePatch),
    );
    expect(field).toBe("roleRef");
    expect(message).toMatch(/: field is immutable$/);
  });
});

test("keys of a ConfigMap and a Secret must be valid file names and unique", async () => {
  await using api = await startApiServer();
  const long = "x".repeat(254);
  for (const path of [configMaps, secrets]) {
    const data = { ".": "", "..": "", "..a": "", [long]: "", "...": "", ".a": "" };
    const refused = await call(api, "POST", path, { metadata: { name: "a" }, data });
    expect(causes(refused)).toEqual([
      ["data[.]", "Invalid value: \".\": must not be '.'"],
      ["data[..]", "Invalid value: \"..\": must not be '..'"],
      ["data[..a]", "Invalid value: \"..a\": must not start with '..'"],
      [`data[${long}]`, `Invalid value: "${long}": must be no more than 253 characters`],
      ["data[...]", "Invalid value: \"...\": must not start with '..'"],
    ]);
  }
  const twice = { metadata: { name: "a" }, data: { k: "" }, binaryData: { k: "", "..b": "" } };
  expect(causes(await call(api, "POST", configMaps, twice))).toEqual([
    ["data[k]", 'Invalid value: "k": duplicate of key present in binaryData'],
    ["binaryData[..b]", "Invalid value: \"..b\": must not start with '..'"],
  ]);
});

test("a ConfigMap and a Secret hold at most 1 MiB of data", async () => {
  await using api = await startApiServer();
  const exact = "x".repeat(1024 * 1024);
  const of = (name: string, data: object) => ({ metadata: { name }, ...data });
  expect((await call(api, "POST", configMaps, of("a", { data: { k: exact } }))).status).toBe(201);
  const large = await call(api, "POST", configMaps, of("b", { data: { k: exact, l: "x" } }));
  expect(large.status).toBe(422);
  expect(large.body.details.causes).toEqual([
    {
      reason: "FieldValueTooLong",
      message: "Too long: may not be more than 1048576 bytes",
      field: "[]",
    },
  ]);
  // The decoded bytes count, not their base64.
  expect((await call(api, "POST", secrets, of("a", { stringData: { k: exact } }))).status).toBe(
    201,
  );
  const secret = await call(api, "POST", secrets, of("b", { stringData: { k: `${exact}x` } }));
  expect(causes(secret)).toEqual([["data", "Too long: may not be more than 1048576 bytes"]]);
});

describe("pods on a node", () => {
  const spec = { containers: [{ name: "c", image: "i" }] };
  const onNode = { metadata: { name: "p" }, spec: { ...spec, nodeName: "n" } };

  test("a delete waits for the grace period, can be shortened, and with none is immediate", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await call(api, "POST", pods, onNode);
    const remove = async (seconds?: number) =>
      (await call(api, "DELETE", `${pods}/p`, { gracePeriodSeconds: seconds })).body.metadata;
    const begun = await remove(20);
    expect(begun.deletionGracePeriodSeconds).toBe(20);
    expect(Date.parse(begun.deletionTimestamp) - Date.parse(begun.creationTimestamp)).toBe(20_000);
    expect(begun.generation).toBe(2);
    expect(await remove(30)).toEqual(begun);
    expect(await remove()).toEqual(begun);
    const shorter = await remove(5);
    expect(shorter.deletionGracePeriodSeconds).toBe(5);
    expect(Date.parse(begun.deletionTimestamp) - Date.parse(shorter.deletionTimestamp)).toBe(
      15_000,
    );
    expect(shorter.generation).toBe(2);
    const events = await watch(api, `${pods}?watch=1&resourceVersion=${shorter.resourceVersion}`);
    await remove(0);
    const zero = { object: { metadata: { deletionGracePeriodSeconds: 0 } } };
    expect(await events.next()).toMatchObject({ type: "MODIFIED", ...zero });
    expect(await events.next()).toMatchObject({ type: "DELETED", ...zero });
    await events.stop();
    expect((await call(api, "GET", `${pods}/p`)).status).toBe(404);
  });

  test("without an explicit grace period the pod's own applies, and removing the last finalizer does not end it", async () => {
    await using api = await startApiServer();
    const metadata = { name: "p", finalizers: ["x.io/f"] };
    await call(api, "POST", pods, { ...onNode, metadata });
    const { body } = await call(api, "DELETE", `${pods}/p`);
    expect(body.metadata.deletionGracePeriodSeconds).toBe(30);
    const patch = { metadata: { finalizers: null } };
    await call(api, "PATCH", `${pods}/p`, patch, mergePatch);
    expect((await call(api, "GET", `${pods}/p`)).status).toBe(200);
    await call(api, "DELETE", `${pods}/p?gracePeriodSeconds=0`);
    expect((await call(api, "GET", `${pods}/p`)).status).toBe(404);
  });

  test("deleting a namespace ends their grace periods", async () => {
    await using api = await startApiServer();
    await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    const inNamespace = "/api/v1/namespaces/n/pods";
    const held = { ...onNode, metadata: { name: "held", finalizers: ["x.io/f"] } };
    await call(api, "POST", inNamespace, onNode);
    await call(api, "POST", inNamespace, held);
    await call(api, "DELETE", `${inNamespace}/held`);
    await call(api, "DELETE", "/api/v1/namespaces/n");
    const { body } = await call(api, "GET", `${inNamespace}/held`);
    expect(body.metadata.deletionGracePeriodSeconds).toBe(0);
    expect((await call(api, "GET", `${inNamespace}/p`)).status).toBe(404);
    const patch = { metadata: { finalizers: null } };
    await call(api, "PATCH", `${inNamespace}/held`, patch, mergePatch);
    expect((await call(api, "GET", "/api/v1/namespaces/n")).status).toBe(404);
  });

  test("a pod without a node, or one that has ended, is deleted immediately", async () => {
    await using api = await startApiServer();
    await call(api, "POST", pods, { ...onNode, spec });
    await call(api, "DELETE", `${pods}/p?gracePeriodSeconds=20`);
    expect((await call(api, "GET", `${pods}/p`)).status).toBe(404);
    await call(api, "POST", pods, onNode);
    const ended = { status: { phase: "Succeeded" } };
    await call(api, "PATCH", `${pods}/p/status`, ended, mergePatch);
    await call(api, "DELETE", `${pods}/p?gracePeriodSeconds=20`);
    expect((await call(api, "GET", `${pods}/p`)).status).toBe(404);
  });

  test("a binding sets the node and the condition PodScheduled, only once", async () => {
    await using api = await startApiServer();
    await call(api, "POST", pods, { ...onNode, spec });
    const bind = () =>
      call(api, "POST", `${pods}/p/binding`, { metadata: { name: "p" }, target: { name: "n" } });
    expect((await bind()).status).toBe(201);
    const { body } = await call(api, "GET", `${pods}/p`);
    expect(body.spec.nodeName).toBe("n");
    expect(body.status.conditions).toMatchObject([{ type: "PodScheduled", status: "True" }]);
    const again = await bind();
    expect([again.status, again.body.message]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
    ]);
  });
});

describe("methods", () => {
  test.each([
    ["POST", `${configMaps}/a`],
    ["PUT", configMaps],
    ["PATCH", configMaps],
    ["POST", "/api/v1/configmaps"],
  ] as const)("GRP22: %s %s is 405 MethodNotAllowed", async (method, path) => {
    await using api = await startApiServer();
    const { status, body } = await call(api, method, path, { metadata: { name: "a" } }, mergePatch);
    expect([status, body.reason]).toEqual([405, "MethodNotAllowed"]);
  });
});
