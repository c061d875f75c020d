import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

for (const [title, outcome] of [
  ["a delay without end", { requeueAfterMs: Number.POSITIVE_INFINITY }],
  ["a priority that is no integer", { requeueAfterMs: 1_000, priority: 1.5 }],
] as const) {
  test(`a run that returns ${title} fails by name, and the key runs again`, async () => {
    let runs = 0;
    const controller = defineController(Shop, {
      reconcile: () => (++runs === 1 ? outcome : undefined),
    });
    await using t = await shopTest(controller);
    await t.open("tea");
    await t.advance(10_000);
    expect(runs).toBeGreaterThan(1);
    expect(t.lines("error").join()).toContain("attempt 1 failed");
  });
}
