import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { type ScopedWrite, withCallScope } from "@typekube/core/internal";
import { connect, mergePatch } from "typekube";
import { expect, test } from "vitest";

async function world() {
  const api = await startApiServer();
  const client = await connect({ transport: api });
  return { api, client, configs: client.resource(ConfigMap, "default") };
}

test("a scope gives every write its field manager, unless the call names one", async () => {
  const { api, client, configs } = await world();
  await withCallScope({ fieldManager: "shop" }, async () => {
    await configs.create({ metadata: { name: "a" }, data: { a: "1" } });
    await configs.create({ metadata: { name: "b" }, data: { a: "1" } }, { fieldManager: "own" });
  });
  const managers = (await configs.list()).items.map(
    ({ metadata }) => metadata.managedFields?.[0]?.manager,
  );
  expect(managers.filter((one) => one !== undefined)).toEqual(
    expect.arrayContaining(["shop", "own"]),
  );
  await client.close();
  await api.close();
});

test("a scope with dryRun stores nothing, whatever the call says", async () => {
  const { api, client, configs } = await world();
  await configs.create({ metadata: { name: "kept" } });
  await withCallScope({ dryRun: "All" }, async () => {
    await configs.create({ metadata: { name: "a" } });
    await configs.delete("kept");
  });
  expect(await configs.find("a")).toBeUndefined();
  expect(await configs.find("kept")).toBeDefined();
  await client.close();
  await api.close();
});

test("a scope learns of each write, and of no read", async () => {
  const { api, client, configs } = await world();
  const writes: ScopedWrite[] = [];
  await withCallScope({ onWrite: (write) => writes.push(write) }, async () => {
    await configs.create({ metadata: { name: "a" } });
    await configs.get("a");
    await configs.patch("a", mergePatch({ data: { a: "1" } }));
    await configs.delete("a");
  });
  expect(writes.map(({ method, apiVersion, kind }) => `${method} ${apiVersion} ${kind}`)).toEqual([
    "POST v1 ConfigMap",
    "PATCH v1 ConfigMap",
    "DELETE v1 ConfigMap",
  ]);
  await client.close();
  await api.close();
});

test("an error of beforeAttempt ends the call, and nothing is sent", async () => {
  const { api, client, configs } = await world();
  const sent = api.requests.length;
  const beforeAttempt = () => {
    throw new KubeError("LeadershipLost", "another process leads");
  };
  await expect(
    withCallScope({ beforeAttempt }, () => configs.create({ metadata: { name: "a" } })),
  ).rejects.toMatchObject({ code: "LeadershipLost" });
  expect(api.requests.length).toBe(sent);
  await client.close();
  await api.close();
});

test("discovery that begins in a scope serves all callers, and does not end with the scope", async () => {
  const { api, client } = await world();
  const beforeAttempt = () => {
    throw new KubeError("LeadershipLost", "another process leads");
  };
  const reference = { apiVersion: "v1", kind: "Namespace" } as const;
  const inScope = withCallScope({ beforeAttempt }, () => client.resource(reference).list());
  const outside = client.resource(reference).list();
  await expect(inScope).rejects.toMatchObject({ code: "LeadershipLost" });
  expect((await outside).items.length).toBeGreaterThan(0);
  await client.close();
  await api.close();
});
