import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { pod, ScriptedSource } from "./scripted-source.js";
import { added, errorEvent, failure, status } from "./wire-events.js";

// A separate function, since a loop keeps its last value on its stack frame.
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
  // p0 did not change, so the cache keeps its original object.
  expect(collected.size).toBe(999);
  expect(collected.has("p0")).toBe(false);
  await informer.close();
});

it("R30: a thousand relists leak nothing: the heap is as large as after the first hundred", async () => {
  const source = new ScriptedSource({});
  let version = 10;
  const objects = (count: number) =>
    Array.from({ length: count }, (_, n) => pod(`p${n}`, version, { labels: { n: `${version}` } }));
  source.listParts = async function* () {
    version += 10;
    const metadata = { resourceVersion: String(version) };
    yield { apiVersion: "v1", kind: "PodList", metadata, items: objects(300 - (version % 3)) };
  };
  source.watchBatches = async function* () {
    version += 1;
    yield [added(pod("new", version))];
    throw failure(500, "InternalError");
  };
  const { informer, clock, errors } = observe(source, {
    indexes: { label: ({ metadata }) => [metadata.labels?.["n"] ?? ""] },
    backoff: { initialMs: 10, maxMs: 10, jitter: 0 },
  });
  let received = 0;
  const tell = () => void received++;
  informer.onChange({ add: tell, update: tell, delete: tell, replaced: tell });
  const unread = informer.changes();
  const heapAfter = async (relists: number) => {
    while (informer.health.gaps < relists) {
      await clock.advance(10);
      await turn();
    }
    errors.length = 0;
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const first = await heapAfter(100);
  const last = await heapAfter(1_100);
  console.log(
    `1,000 relists: ${((last - first) / 1024).toFixed(0)} KiB more; ${received} changes delivered`,
  );
  expect(last - first).toBeLessThan(512 * 1024);
  expect(informer.indexValues("label").length).toBeLessThan(5);
  await unread.return?.();
  await informer.close();
});
