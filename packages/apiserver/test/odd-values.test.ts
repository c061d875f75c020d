import { call } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const apps = "/apis/apps/v1/namespaces/default/replicasets";
const template = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "main", image: "main" }] },
};
const spec = { selector: { matchLabels: { a: "b" } }, template };

test.each([1.5, 1e300, 2 ** 31])("rejects a Scale of %s replicas", async (replicas) => {
  await using api = await startApiServer();
  await call(api, "POST", apps, { metadata: { name: "a" }, spec });
  const patch = Buffer.from(JSON.stringify({ spec: { replicas } }));
  const headers = { "content-type": "application/merge-patch+json" };
  const { status } = await call(api, "PATCH", `${apps}/a/scale`, patch, headers);
  expect(status).toBe(422);
});

test.each([{ "": null }, ["1"], {}])(
  "rejects %j as a quantity of a resource limit or a capacity",
  async (memory) => {
    await using api = await startApiServer();
    const containers = [{ name: "main", image: "main", resources: { limits: { memory } } }];
    const pod = { metadata: { name: "a" }, spec: { containers } };
    const { status } = await call(api, "POST", "/api/v1/namespaces/default/pods", pod);
    expect(status).toBe(400);
    const path = "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities";
    const capacity = { metadata: { name: "a" }, storageClassName: "a", capacity: memory };
    expect((await call(api, "POST", path, capacity)).status).toBe(400);
  },
);
