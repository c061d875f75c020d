import { ConfigMap } from "typekube/api/core/v1";
import { expect, onTestFinished, test } from "vitest";
import { AwaitedTurns, untilQuiet } from "../../src/testing/explore/run/quiet.js";
import { explore } from "../../src/testing/index.js";

/** Asks for one turn of the event loop after the other, until the test ends. */
function loop(): void {
  let isOver = false;
  const again = () => {
    if (!isOver) {
      setImmediate(again);
    }
  };
  again();
  onTestFinished(() => {
    isOver = true;
  });
}

/** Returns the number of turns until nothing goes on. */
async function turnsUntilQuiet(turns: AwaitedTurns): Promise<number> {
  let count = 0;
  await untilQuiet(
    () => 0,
    () => {
      count += 1;
    },
    () => false,
    undefined,
    turns,
  );
  return count;
}

test("CT7: turns that somebody asked for before a run are not waited for", async () => {
  loop();
  expect(await turnsUntilQuiet(new AwaitedTurns())).toBeLessThan(10);
});

test("CT7: turns without an end are waited for once", async () => {
  // The loop of the test before asks for its last one.
  await new Promise((resolve) => setImmediate(resolve));
  const turns = new AwaitedTurns();
  loop();
  expect(await turnsUntilQuiet(turns)).toBeGreaterThan(100);
  expect(await turnsUntilQuiet(turns)).toBeLessThan(10);
});

test("CT7: ignore() of a scenario may look at more than its object", async () => {
  let isKnown = false;
  const found = await explore(
    {
      ignore: ({ metadata }) => metadata?.name === "junk" && isKnown,
      steps: {
        "create a": (client) =>
          client.resource(ConfigMap, "default").create({ metadata: { name: "a" } }),
      },
      operator: async ({ client, clock }) => {
        isKnown = false;
        const maps = client.resource(ConfigMap, "default");
        await maps.apply({ metadata: { name: "junk" } }, { fieldManager: "x", force: true });
        await new Promise<void>((resolve) => clock.schedule(2_000, resolve));
        await maps.list();
        isKnown = true;
        await new Promise(() => {});
      },
    },
    { runs: 0, faults: ["refuse"] },
  );
  expect(found.findings, found.text()).toEqual([]);
});
