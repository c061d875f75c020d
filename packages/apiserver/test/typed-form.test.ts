import { codecs } from "@typekube/core/internal";
import {
  applyPatch,
  call,
  configMaps,
  deployments,
  type Json,
  mergePatch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const protobuf = { accept: "application/vnd.kubernetes.protobuf" };
const deployment = {
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i", stdin: false, env: [] }], hostNetwork: false },
    },
  },
};

type Api = Parameters<typeof call>[0];

async function fromProtobuf(api: Api, path: string): Promise<Json> {
  const { send } = api;
  const response = await send({ method: "GET", path, headers: protobuf, mode: "call" });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) {
    chunks.push(chunk);
  }
  return codecs.protobuf.decode(Buffer.concat(chunks));
}

describe("objects are stored as Go's types encode them", () => {
  test("includes non-pointer structs always, and omits zero values", async () => {
    await using api = await startApiServer();
    const { body } = await call(api, "POST", deployments, deployment);
    expect(body.status).toEqual({});
    const { template, ...spec } = body.spec;
    expect(spec).toEqual({
      replicas: 1,
      selector: { matchLabels: { a: "b" } },
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" },
      },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    expect(template.metadata).toEqual({ labels: { a: "b" } });
    expect(template.spec.containers).toMatchObject([{ name: "c", image: "i", resources: {} }]);
  });

  test("UPD4, GRP1: JSON and protobuf are equal, and writing back what was read changes nothing", async () => {
    await using api = await startApiServer();
    const created = await call(api, "POST", deployments, deployment);
    const read = await fromProtobuf(api, `${deployments}/d`);
    expect(read).toEqual(created.body);
    expect((await call(api, "PUT", `${deployments}/d`, read)).body).toEqual(created.body);
    const role = { metadata: { name: "r" }, rules: [] };
    const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    expect((await call(api, "POST", roles, role)).body.rules).toBeNull();
    expect((await fromProtobuf(api, `${roles}/r`)).rules).toBeNull();
  });

  test("a list emptied by an update is removed and increments the generation once", async () => {
    await using api = await startApiServer();
    const tolerations = [{ key: "k", operator: "Exists" }];
    const labels = { app: "a" };
    const spec = { containers: [{ name: "c", image: "i" }], tolerations };
    await call(api, "POST", deployments, {
      metadata: { name: "d" },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    const empty = { spec: { template: { spec: { tolerations: [] } } } };
    const first = await call(api, "PATCH", `${deployments}/d`, empty, mergePatch);
    expect(first.body.spec.template.spec.tolerations).toBeUndefined();
    expect(first.body.metadata.generation).toBe(2);
    const second = await call(api, "PATCH", `${deployments}/d`, empty, mergePatch);
    expect(second.body).toEqual(first.body);
  });
});

describe("an apply of fields that the server does not store", () => {
  const empty = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: {} } };
  const path = `${configMaps}/a`;

  test("an empty map has an owner: the same map from another manager is a conflict", async () => {
    await using api = await startApiServer();
    await call(api, "PATCH", `${path}?fieldManager=m1`, empty, applyPatch);
    const { status, body } = await call(api, "PATCH", `${path}?fieldManager=m2`, empty, applyPatch);
    expect(status).toBe(409);
    expect(body.details.causes).toEqual([
      {
        reason: "FieldManagerConflict",
        message: 'conflict with "m1"',
        field: ".metadata.labels",
      },
    ]);
  });

  test("repeating it as its owner writes nothing, even later", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const first = await call(api, "PATCH", `${path}?fieldManager=m1`, empty, applyPatch);
    expect(first.body.metadata.labels).toBeUndefined();
    await api.clock.advance(60_000);
    const second = await call(api, "PATCH", `${path}?fieldManager=m1`, empty, applyPatch);
    expect(second.body).toEqual(first.body);
  });
});
