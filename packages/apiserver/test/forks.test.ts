import { expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { call, configMaps, createConfigMaps } from "./harness.js";

test("forks of forks go their own ways, and one that is closed takes nobody along", async () => {
  await using first = await startApiServer({ clock: "virtual" });
  await createConfigMaps(first, "a");
  const second = first.fork();
  await createConfigMaps(second, "b");
  await using third = second.fork();
  await second.clock.advance(1_000);
  await second.close();
  await createConfigMaps(third, "c");
  const names = async (api: typeof first) =>
    (await call(api, "GET", configMaps)).body.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
  expect([await names(first), await names(third)]).toEqual([["a"], ["a", "b", "c"]]);
  expect(third.clock.now()).toBe(first.clock.now());
  third.restore(first.snapshot());
  expect(await names(third)).toEqual(["a"]);
});
