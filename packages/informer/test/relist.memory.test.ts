import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { pod, ScriptedSource } from "./scripted-source.js";
import { errorEvent, status } from "./wire-events.js";

// In a function of its own: a loop's last value stays on its frame.
function registeredPods(registry: FinalizationRegistry<string>) {
  return Array.from({ length: 1_000 }, (_, i) => {
    const item = pod(`p${i}`, 1);
    registry.register(item, `p${i}`);
    return item;
  });
}

it("R30: objects that a relist removed can be collected", async () => {
  const collected = new Set<string>();
  const registry = new FinalizationRegistry<string>((name) => collected.add(name));
  const items = registeredPods(registry);
  const kept = pod("p0", 1);
  const source = new ScriptedSource({
    lists: [
      { items: items.splice(0), version: 1 },
      { items: [kept], version: 9 },
    ],
    watches: [{ batches: [[errorEvent(status(410, "Expired"))]] }],
  });
  const { informer, settle } = observe(source);
  await settle();
  expect(informer.health.objects).toBe(1);
  for (let round = 0; round < 50 && collected.size < 999; round++) {
    globalThis.gc?.();
    await turn();
  }
  // p0 did not change, so the cache keeps the object that it had.
  expect(collected.size).toBe(999);
  expect(collected.has("p0")).toBe(false);
  await informer.close();
});
