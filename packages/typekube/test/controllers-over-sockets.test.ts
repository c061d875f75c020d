import { startApiServer } from "@typekube/apiserver";
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { expect, test } from "vitest";

const election = { leaderElection: { name: "operator", namespace: "default" } };

test.each([{}, election])(
  "CM1, CL14: a manager reads and writes over sockets: %j",
  async (options) => {
    await using api = await startApiServer();
    const { server } = await api.listen({ tls: false, anonymous: true });
    await using client = await connect({ server });
    const configMaps = client.resource(ConfigMap, "default");
    await configMaps.create({ metadata: { name: "a" }, data: { key: "value" } });
    const errors: unknown[] = [];
    const controller = defineController(ConfigMap, {
      async reconcile(object) {
        if (object.metadata.name === "a") {
          await configMaps.create({
            metadata: { name: "copy" },
            data: { key: "value" },
          });
        }
      },
    });
    await using _ = await startManager(client, {
      controllers: [controller],
      log: ({ level, error }) => {
        if (level === "error") {
          errors.push(error);
        }
      },
      ...options,
    });
    await expect.poll(() => configMaps.find("copy")).toMatchObject({ data: { key: "value" } });
    expect(errors).toEqual([]);
  },
);

/** A definition of a kind without a descriptor. */
function brandDefinition(scope: "Cluster" | "Namespaced") {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "brands.example.com" },
    spec: {
      group: "example.com",
      scope,
      names: { plural: "brands", singular: "brand", kind: "Brand", listKind: "BrandList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      ],
    },
  };
}

const brand = { apiVersion: "example.com/v1", kind: "Brand" } as const;
const node = { apiVersion: "v1", kind: "Node" } as const;
const namespace = { apiVersion: "v1", kind: "Namespace" } as const;
const log = () => {};

test("cluster-wide kinds that discovery finds are reconciled, owned, watched and read over sockets", async () => {
  await using api = await startApiServer();
  await api.load([brandDefinition("Cluster")]);
  const { server } = await api.listen({ tls: false, anonymous: true });
  await using client = await connect({ server });
  const seen: unknown[] = [];
  const controller = defineController(brand, {
    owns: [namespace],
    watches: [{ kind: node, by: () => ["n1"] }],
    async reconcile(_, run) {
      await run.apply(namespace, { metadata: { name: "made" } } as never);
      seen.push([run.key, run.get(node, "n1")?.metadata.name]);
    },
  });
  await using _ = await startManager(client, { controllers: [controller], log });
  await client.resource(brand).create({ metadata: { name: "acme" } } as never);
  await expect.poll(() => seen).toEqual([["acme", undefined]]);
  await client.resource(node).create({ metadata: { name: "n1" } } as never);
  await expect.poll(() => seen.at(-1)).toEqual(["acme", "n1"]);
  const made = await client.resource(namespace).get("made");
  expect(made.metadata.ownerReferences).toMatchObject([{ kind: "Brand", name: "acme" }]);
});

test("CD10: an owned kind is inactive until its definition exists, over sockets", async () => {
  await using api = await startApiServer();
  const { server } = await api.listen({ tls: false, anonymous: true });
  await using client = await connect({ server });
  const controller = defineController(ConfigMap, {
    owns: [brand],
    async reconcile({ metadata }, run) {
      if (metadata.name === "a") {
        await run.apply(brand, { metadata: { name: "made" } } as never);
      }
    },
  });
  const options = { controllers: [controller], log, random: () => 0 };
  await using manager = await startManager(client, options);
  const { inactiveKinds } = manager.controller("configmap");
  expect(inactiveKinds).toEqual(["example.com/v1/Brand"]);
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  await api.load([brandDefinition("Namespaced")]);
  const made = () => api.client().then((other) => other.resource(brand, "default").find("made"));
  await expect.poll(made, { timeout: 30_000 }).toBeDefined();
  expect(manager.controller("configmap").inactiveKinds).toEqual([]);
});
