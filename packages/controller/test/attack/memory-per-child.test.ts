import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { afterEach, expect, test, vi } from "vitest";
import { AppliedMemory } from "../../src/run/apply/applied-memory.js";
import { OwnWrites } from "../../src/run/context/own-writes.js";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

afterEach(() => {
  vi.restoreAllMocks();
});

test("nothing is remembered of written objects whose changes cause no run", async () => {
  const expected = vi.spyOn(OwnWrites.prototype, "expect");
  const controller = defineController(Shop, {
    reads: [ConfigMap, { kind: Secret, cached: false }],
    async reconcile(_, run) {
      await run.create(ConfigMap, { metadata: { name: run.name } });
      await run.create(Secret, { metadata: { name: run.name } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.open("mate");
  const sizes = expected.mock.contexts.map((one) => (one as OwnWrites).size);
  expect(sizes.at(-1) ?? 0).toBe(0);
});

test("nothing is remembered of applied objects that are gone", async () => {
  const noted = vi.spyOn(AppliedMemory.prototype, "note");
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      await run.apply(ConfigMap, { metadata: { name: run.name } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const memory = noted.mock.contexts.at(-1) as AppliedMemory;
  expect(memory.size).toBe(1);
  await t.client.resource(Shop, "default").delete("tea");
  await t.client.resource(ConfigMap, "default").delete("tea");
  await t.settled();
  expect(memory.size).toBe(0);
});
