import { readFileSync } from "node:fs";
import { defineKeyController, terminal } from "@typekube/controller";
import { sleep } from "@typekube/core/internal";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { type ShopTest, shopTest } from "../shop-test.js";
import { familiesOf, type GoldenFamily } from "./golden/families.js";
import { get } from "./metrics-test.js";

const golden: Readonly<Record<string, GoldenFamily>> = JSON.parse(
  readFileSync(new URL("golden/go-metrics.json", import.meta.url), "utf8"),
);

/** Bounds in Go and in JavaScript are written differently. */
function samplesOf(family: GoldenFamily | undefined): Record<string, number> {
  return Object.fromEntries(
    Object.entries(family?.samples ?? {}).map(([id, value]) => {
      const [labels = "", bound] = id.split(" le=");
      const sorted = labels.replace(/^[^ ]*/, (all) => all.split(",").sort().join(","));
      const name = bound === undefined ? sorted : `${sorted} le=${Number(bound).toPrecision(6)}`;
      return [name, Number(value.toPrecision(9))];
    }),
  );
}

test("CM18, CM19, CM20, CM24: the same runs give the same families, labels, buckets and values as in controller-runtime", async () => {
  let runs = 0;
  let t: ShopTest | undefined;
  const controller = defineKeyController(Shop, {
    name: "shop",
    retry: { jitter: 0 },
    async reconcileKey(key) {
      // As in packages/bench/peers/controller-runtime/golden-metrics: each run takes a second more.
      const run = ++runs;
      await sleep((t as ShopTest).clock, run * 1_000);
      switch (key) {
        case "default/later":
          return { requeueAfterMs: 3_600_000 };
        case "default/terminal":
          throw terminal("never");
        case "default/fail":
          if (run === 4) {
            throw new Error("no");
          }
      }
      return undefined;
    },
  });
  t = await shopTest(controller, { manager: { metrics: { port: 0, host: "127.0.0.1" } } });
  await using running = t;
  for (const name of ["ok", "later", "terminal", "fail"]) {
    running.manager.controller("shop").trigger(`default/${name}`);
  }
  for (let ms = 0; ms < 60_000; ms += 1_000) {
    await running.api.clock.advance(1_000);
    await running.api.settled();
  }
  const { body } = await get(running.manager.ports.metrics, "/metrics");
  const ours = familiesOf(body);
  const theirs = Object.keys(golden).filter((name) => !name.includes("webhook"));
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(theirs));
  for (const name of theirs) {
    expect([name, ours[name]?.type]).toEqual([name, golden[name]?.type]);
    expect([name, samplesOf(ours[name])]).toEqual([name, samplesOf(golden[name])]);
  }
});
