import { rediscovering, shardedSource, type WatchSource } from "@typekube/informer/internal";
import { expect, test } from "vitest";
import { countingSource } from "../src/sources/counting-source.js";
import type { StreamingLists } from "../src/sources/streaming-lists.js";
import { pod } from "./scripted-source.js";

async function readAll(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts) {
    // Only the callbacks matter here.
  }
}

/** Reports 10 bytes of a response before its part. */
const source: WatchSource = {
  subject: { apiVersion: "v1", resource: "pods" },
  closed: new AbortController().signal,
  encoding: "cbor",
  streamingLists: {} as StreamingLists,
  descriptor: async () => ({ kind: "Pod", plural: "pods" }),
  async *listParts(_options, supervisor) {
    supervisor?.onResponse?.();
    supervisor?.onBytes?.(10);
    yield { apiVersion: "v1", kind: "PodList", metadata: {}, items: [pod("a", 1)] };
  },
  async *watchBatches(_options, supervisor) {
    supervisor?.onResponse?.();
    supervisor?.onBytes?.(10);
    yield [];
  },
};

const wrappers: readonly (readonly [string, (source: WatchSource) => WatchSource])[] = [
  ["shardedSource", (inner) => shardedSource(inner, { index: 0, count: 2 })],
  ["rediscovering", (inner) => rediscovering(inner, { invalidate: () => {} })],
  ["countingSource", (inner) => countingSource(inner, () => {})],
];

test.each(wrappers)("%s passes on everything that the source declares", async (_name, wrap) => {
  const wrapped = wrap(source);
  for (const name of Object.keys(source) as (keyof WatchSource)[]) {
    if (typeof source[name] !== "function") {
      expect(wrapped[name], name).toBe(source[name]);
    }
  }
  expect(await wrapped.descriptor()).toEqual({ kind: "Pod", plural: "pods" });
});

test.each(wrappers)("%s calls every callback of the supervisor", async (_name, wrap) => {
  const calls: (number | string)[] = [];
  // With methods on its prototype.
  class Supervisor {
    onResponse() {
      calls.push("response");
    }
    onBytes(count: number) {
      calls.push(count);
    }
  }
  const wrapped = wrap(source);
  await readAll(wrapped.listParts({}, new Supervisor()));
  await readAll(wrapped.watchBatches({}, new Supervisor()));
  expect(calls).toEqual(["response", 10, "response", 10]);
});

test("a counting source counts the bytes of every response", async () => {
  const counts: number[] = [];
  const counting = countingSource(source, (count) => counts.push(count));
  await readAll(counting.listParts({}));
  await readAll(counting.watchBatches({}, { isRepeated: false }));
  expect(counts).toEqual([10, 10]);
});
