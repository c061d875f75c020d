import { Namespace, Node } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const namespace = { apiVersion: "v1", kind: "Namespace" } as const;
const node = { apiVersion: "v1", kind: "Node" } as const;

test("a cluster-wide kind that discovery finds is read by its name", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [node],
    reconcile: (_, run) => void seen.push(run.get(node, "n1")?.metadata.name),
  });
  await using t = await shopTest(controller);
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.settled();
  await t.open("tea");
  expect(seen).toEqual(["n1"]);
});

test("a change of a cluster-wide kind that discovery finds runs what refers to it", async () => {
  const controller = defineController(Shop, {
    watches: [{ kind: node, by: () => ["n1"] }],
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
});

test("an applied object of a cluster-wide kind that discovery finds is not pruned", async () => {
  const controller = defineController(Shop, {
    owns: [namespace],
    async reconcile(_, run) {
      await run.apply(namespace, { metadata: { name: "made" } } as never, { track: "label" });
    },
    finalize() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(await t.client.resource(Namespace).find("made")).toBeDefined();
});
