import { setImmediate as turn } from "node:timers/promises";
import { createVirtualClock } from "@typekube/apiserver";
import { followSource } from "@typekube/informer/internal";
import { expect, it } from "vitest";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { modified } from "./wire-events.js";

/** Creates a pod of about 5 KB that shares nothing with others. */
const heavyPod = (name: string, version: number) =>
  pod(name, version, {
    annotations: { notes: Buffer.alloc(5_000, String(version)).toString("latin1") },
  });

it("N14: of 10,000 unread events (50 MB) of 50 objects, at most twice 1,000 are held", async () => {
  const source = new ScriptedSource({ lists: [list(1)] });
  source.watchBatches = async function* ({ signal }) {
    for (let i = 0; i < 10_000; i++) {
      yield [modified(heavyPod(`p${i % 50}`, i + 2))];
    }
    await new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  const alive = async () => {
    for (let i = 0; i < 3; i++) {
      await turn();
      globalThis.gc?.();
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await alive();
  const clock = createVirtualClock();
  const iterator = followSource(source, { streamingList: false }, clock)[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject({ type: "synced" });
  await clock.advance(1_000);
  const held = (await alive()) - before;
  let last = "";
  while (last !== "10001") {
    const { value } = await iterator.next();
    last = value.object.metadata.resourceVersion;
  }
  await iterator.return?.();
  expect(held).toBeLessThan(15e6);
  expect(held).toBeGreaterThan(50 * 5_000);
});
