import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  mergePatch,
} from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";
import { items, names, rest, start } from "./controlled-server.js";

it("ES22: a custom resource is collected with its owner, or released when the owner's deletion orphans it", async () => {
  await using api = await start();
  const [owner] = await createConfigMaps(api, "owner");
  const ownerReferences = [
    { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid },
  ];
  await call(api, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "crons.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "crons", kind: "Cron" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
    },
  });
  const crons = "/apis/example.com/v1/namespaces/default/crons";
  const cron = {
    apiVersion: "example.com/v1",
    kind: "Cron",
    metadata: { name: "a", ownerReferences },
  };
  expect((await call(api, "POST", crons, cron)).status).toBe(201);
  await call(api, "DELETE", `${configMaps}/owner`, { propagationPolicy: "Orphan" });
  await rest(api);
  const [freed] = await items(api, crons);
  expect(freed.metadata.ownerReferences).toBeUndefined();
  await call(api, "POST", crons, { ...cron, metadata: { name: "b", ownerReferences } });
  await rest(api);
  expect(await names(api, crons)).toEqual(["a"]);
});

it("ES22: foreground deletion breaks a cycle of owners", async () => {
  await using api = await start();
  const [a, b] = await createConfigMaps(api, "a", "b");
  const ownedBy = ({ metadata: { name, uid } }: Json) => ({
    metadata: {
      ownerReferences: [
        { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true },
      ],
    },
  });
  await call(api, "PATCH", `${configMaps}/a`, ownedBy(b), mergePatch);
  await call(api, "PATCH", `${configMaps}/b`, ownedBy(a), mergePatch);
  await call(api, "DELETE", `${configMaps}/a`, { propagationPolicy: "Foreground" });
  await rest(api);
  expect(await names(api, configMaps)).toEqual(["kube-root-ca.crt"]);
});

it("ES22: keeps a cluster-scoped object whose owner is namespaced", async () => {
  await using api = await start();
  const [owner] = await createConfigMaps(api, "owner");
  const { name, uid } = owner.metadata;
  await call(api, "POST", "/api/v1/namespaces", {
    metadata: { name: "n", ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid }] },
  });
  await call(api, "DELETE", `${configMaps}/owner`);
  await rest(api);
  expect(
    (await call(api, "GET", "/api/v1/namespaces/n")).body.metadata.deletionTimestamp,
  ).toBeUndefined();
});

it("GRP24: without controllers a namespace is emptied immediately; with this one disabled, nothing happens", async () => {
  for (const [controllers, status] of [
    [{}, 404],
    [{ namespaces: false }, 200],
  ] as const) {
    await using api = await start({ controllers });
    await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    await call(api, "POST", "/api/v1/namespaces/n/configmaps", { metadata: { name: "a" } });
    await call(api, "DELETE", "/api/v1/namespaces/n");
    await api.clock.advance(60_000);
    expect((await call(api, "GET", "/api/v1/namespaces/n")).status).toBe(status);
  }
});

it("ES22: collects a thousand dependents of one owner without scanning other objects", async () => {
  await using api = await start({ controllers: { garbageCollection: true } });
  const [owner] = await createConfigMaps(api, "owner");
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
  for (let at = 0; at < 1_000; at++) {
    await call(api, "POST", configMaps, { metadata: { name: `c-${at}`, ownerReferences } });
  }
  await createConfigMaps(api, "other");
  await call(api, "DELETE", `${configMaps}/owner`);
  await api.settled();
  expect(await names(api, configMaps)).toEqual(["other"]);
});
