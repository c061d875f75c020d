import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { Informer } from "@typekube/informer";
import { followSource, SharedCache } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { list, pod, ScriptedSource } from "./scripted-source.js";

const count = 100;
const callMs = 1;
const options = { streamingList: false } as const;

/** Creates a server with a hundred pods, and a clock that advances only by the test's own work. */
function setUp() {
  const source = new ScriptedSource({
    lists: [list(1, ...Array.from({ length: count }, (_, i) => pod(`p${i}`, 1)))],
  });
  let now = 0;
  const clock: Clock = { now: () => now, schedule: () => () => {} };
  const work = () => {
    now += callMs;
  };
  const start = () => new Informer(new SharedCache<KubeObject>(source, options, clock), options);
  return { source, clock, work, start };
}

/** Returns the number of calls in each turn of the event loop, until all calls were made. */
async function callsPerTurn(calls: () => number): Promise<number[]> {
  const turns: number[] = [];
  for (let before = 0; before < count; before = calls()) {
    await turn();
    turns.push(calls() - before);
  }
  return turns.filter((each) => each > 0);
}

describe("many changes at once", () => {
  it.each(["sync", "async"])(
    "a handler (%s) of many changes yields to the event loop",
    async (kind) => {
      const { start, work } = setUp();
      await using informer = start();
      const names: string[] = [];
      const add = ({ metadata }: KubeObject) => {
        names.push(metadata?.name ?? "");
        work();
        return kind === "async" ? Promise.resolve() : undefined;
      };
      const handle = informer.onChange({ add });
      const turns = await callsPerTurn(() => names.length);
      expect(Math.max(...turns)).toBeLessThanOrEqual(10);
      expect(names).toEqual(Array.from({ length: count }, (_, i) => `p${i}`));
      await handle.synced();
    },
  );

  it("a handler that is removed while its loop yields is not called again", async () => {
    const { start, work } = setUp();
    await using informer = start();
    let calls = 0;
    const handle = informer.onChange({
      add: () => {
        work();
        calls++;
      },
    });
    while (calls === 0) {
      await turn();
    }
    await handle.remove();
    const atRemoval = calls;
    expect(atRemoval).toBeLessThan(count);
    await turn();
    expect(calls).toBe(atRemoval);
  });

  it("a reader of changes() or follow that awaits nothing else yields to the event loop too", async () => {
    const { start, work } = setUp();
    await using informer = start();
    let changes = 0;
    const reading = (async () => {
      for await (const _ of informer.changes()) {
        work();
        if (++changes === count) {
          break;
        }
      }
    })();
    expect(Math.max(...(await callsPerTurn(() => changes)))).toBeLessThanOrEqual(10);
    await reading;

    const other = setUp();
    let events = 0;
    const following = (async () => {
      for await (const _ of followSource(other.source, options, other.clock)) {
        other.work();
        if (++events === count) {
          break;
        }
      }
    })();
    expect(Math.max(...(await callsPerTurn(() => events)))).toBeLessThanOrEqual(10);
    await following;
  });
});
