import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";
import { createVirtualClock, startApiServer } from "../src/index.js";

test("forks of forks are independent, and closing one does not close the others", async () => {
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

test("ES27: a custom clock of the first server is not advanced by its forks", async () => {
  const clock = createVirtualClock(Date.UTC(2030, 0, 1));
  await using first = await startApiServer({ clock });
  await clock.advance(1_000);
  await using second = first.fork();
  await using third = second.fork();
  const begun = clock.now();
  await first.clock.advance(60_000);
  expect(first.clock).toBe(clock);
  expect([second.clock.now(), third.clock.now()]).toEqual([begun, begun]);
  expect(await second.isSteady({ ticks: 1, tickMs: 500 })).toBe(true);
  expect([clock.now(), second.clock.now(), third.clock.now()]).toEqual([
    begun + 60_000,
    begun + 500,
    begun,
  ]);
});
