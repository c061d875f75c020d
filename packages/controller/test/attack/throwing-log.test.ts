import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("a log that throws does not block a key", async () => {
  let runs = 0;
  const controller = defineController(Shop, {
    reconcile() {
      runs++;
      throw new Error("no");
    },
  });
  await using t = await shopTest(controller, {
    manager: {
      log() {
        throw new Error("disk full");
      },
    },
  });
  await t.open("tea");
  await t.advance(1_000);
  expect(runs).toBeGreaterThan(1);
});
