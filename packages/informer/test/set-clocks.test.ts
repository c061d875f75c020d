import type { KubeObject } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { Informer } from "@typekube/informer";
import { Backoff, defaultBackoff, SharedCache } from "@typekube/informer/internal";
import { expect, test } from "vitest";
import { Watchdog } from "../src/guards/watchdog.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";

const hourMs = 3_600_000;

/** Creates a clock whose time of day is set while it runs. */
function settableClock() {
  const time = createVirtualClock();
  let offsetMs = 0;
  const clock: Clock = {
    now: () => time.now() + offsetMs,
    monotonic: () => time.now(),
    schedule: (delayMs, callback) => time.schedule(delayMs, callback),
  };
  return { clock, time, set: (byMs: number) => (offsetMs += byMs) };
}

/** Creates an informer on a machine whose time of day is set while it runs. */
function machine(source: ScriptedSource) {
  const { clock, time, set } = settableClock();
  const options = { streamingList: false, random: () => 0 };
  const informer = new Informer<KubeObject>(new SharedCache(source, options, clock), options);
  return { informer, time, set };
}

test.each([-hourMs, hourMs])(
  "synced() rejects with the last failure after failAfterMs, although the clock was set by %d ms",
  async (byMs) => {
    const { informer, time, set } = machine(new ScriptedSource({}));
    await time.advance(10_000);
    set(byMs);
    let outcome: unknown;
    const waiting = informer.synced().catch((error: unknown) => {
      outcome = error;
    });
    await time.advance(19_999);
    expect(outcome).toBeUndefined();
    await time.advance(1);
    expect(outcome).toMatchObject({ code: "InternalError" });
    await waiting;
    await informer.close();
  },
);

test.each([-hourMs, hourMs])(
  "I29: a recorded write lasts equally long, although the clock was set by %d ms",
  async (byMs) => {
    const { informer, time, set } = machine(new ScriptedSource({ lists: [list(1, pod("a", 1))] }));
    await time.advance(0);
    informer.mutated(pod("a", 5) as never);
    set(byMs);
    await time.advance(59_999);
    expect(informer.get("default/a")?.metadata.resourceVersion).toBe("5");
    await time.advance(1);
    expect(informer.get("default/a")?.metadata.resourceVersion).toBe("1");
    await informer.close();
  },
);

test.each([-hourMs, hourMs])(
  "health: the lag is the time that has passed, although the clock was set by %d ms",
  async (byMs) => {
    const { informer, time, set } = machine(new ScriptedSource({ lists: [list(1, pod("a", 1))] }));
    await time.advance(5_000);
    set(byMs);
    expect(informer.health.lagMs).toBe(5_000);
    await informer.close();
  },
);

test.each([-hourMs, hourMs])(
  "the back-off resets after two good minutes and not earlier, although the clock was set by %d ms",
  async (byMs) => {
    const refused = new KubeError("ConnectionRefused", "connection refused");
    const source = new ScriptedSource({ lists: [list(1)], watches: Array(10).fill(refused) });
    const { informer, time, set } = machine(source);
    await time.advance(800 + 1_600 + 3_200);
    expect(source.watches).toHaveLength(4);
    set(byMs);
    await time.advance(6_399);
    expect(source.watches).toHaveLength(4);
    await time.advance(1 + 12_799);
    expect(source.watches).toHaveLength(5);
    await time.advance(1);
    expect(source.watches).toHaveLength(6);
    await informer.close();
  },
);

test.each([-hourMs, -30_000, 5_000, 30_000, hourMs])(
  "a watch counts as silent idleMs after its last event, although the clock was set by %d ms",
  async (byMs) => {
    const { clock, time, set } = settableClock();
    let isSilent = false;
    const watchdog = new Watchdog(clock, 75_000, () => {
      isSilent = true;
    });
    await time.advance(10_000);
    watchdog.touch();
    set(byMs);
    await time.advance(74_999);
    expect(isSilent).toBe(false);
    await time.advance(1);
    expect(isSilent).toBe(true);
  },
);

test("a clock that was set back does not prolong the back-off", async () => {
  const { clock, time, set } = settableClock();
  const backoff = new Backoff(defaultBackoff, clock, () => 0);
  expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([800, 1_600, 3_200]);
  set(-hourMs);
  await time.advance(3_200 + 120_001);
  expect(backoff.next()).toBe(800);
});
