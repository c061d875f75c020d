import { getEventListeners } from "node:events";
import { createVirtualClock, type VirtualClock } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { Informer } from "@typekube/informer";
import {
  followSource,
  SharedCache,
  untilOf,
  type WatchSource,
  watchSourceFrom,
} from "@typekube/informer/internal";
import { expect, test, vi } from "vitest";
import { pod } from "./scripted-source.js";
import { added, errorEvent, status } from "./wire-events.js";

const cycles = 60;

/** Creates a server whose watches last a minute each and end in every way, so that some are followed by a list. */
function restless(clock: VirtualClock): WatchSource & { watches: number } {
  let version = 10;
  const endings = [
    () => [],
    () => {
      throw new KubeError("ConnectionReset", "reset");
    },
    () => [errorEvent(status(500, "InternalError"))],
  ] as const;
  return {
    watches: 0,
    descriptor: async () => ({ kind: "Pod", plural: "pods" }),
    async *listParts() {
      const metadata = { resourceVersion: String(version) };
      yield { apiVersion: "v1", kind: "PodList", metadata, items: [pod("a", version)] };
    },
    async *watchBatches({ signal }, supervisor) {
      supervisor?.onResponse?.();
      this.watches++;
      yield [added(pod("a", ++version))];
      await sleep(clock, 60_000, signal);
      yield endings[this.watches % endings.length]?.() ?? [];
    },
  };
}

/** Passes `work` a function that returns the highest number of abort listeners on any signal. */
async function mostListeners<R>(work: (most: () => number) => Promise<R>): Promise<R> {
  const signals = new Set<AbortSignal>();
  const listen = vi.spyOn(AbortSignal.prototype, "addEventListener");
  const usual = EventTarget.prototype.addEventListener;
  listen.mockImplementation(function (this: AbortSignal, ...listener) {
    signals.add(this);
    usual.apply(this, listener as Parameters<typeof usual>);
  });
  try {
    return await work(() =>
      Math.max(...[...signals].map((signal) => getEventListeners(signal, "abort").length)),
    );
  } finally {
    listen.mockRestore();
  }
}

async function readAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events) {
    // Ignore the events.
  }
}

type Start = (source: WatchSource, clock: VirtualClock, signal: AbortSignal) => Promise<unknown>;

test.each<[string, Start]>([
  [
    "an informer",
    async (source, clock, signal) => {
      const options = { streamingList: false, signal };
      const informer = new Informer(new SharedCache(source, options, clock), options);
      await readAll(informer.changes());
    },
  ],
  [
    "follow",
    (source, clock, signal) =>
      readAll(followSource(source, { streamingList: false, signal }, clock)),
  ],
  [
    "watchFrom",
    (source, clock, signal) =>
      readAll(watchSourceFrom(source, { resourceVersion: "1", signal }, clock)),
  ],
  [
    "until",
    (source, clock, signal) =>
      untilOf(source, () => false, { streamingList: false, signal }, clock).catch(() => {}),
  ],
])(
  "%s: no signal has more listeners than after the first watch, whatever the number and ends of the watches",
  async (_, start) => {
    const clock = createVirtualClock();
    const source = restless(clock);
    const abort = new AbortController();
    const after = await mostListeners(async (most) => {
      const done = start(source, clock, abort.signal);
      await clock.advance(30_000);
      const first = most();
      while (source.watches < cycles) {
        await clock.advance(30_000);
      }
      const last = most();
      abort.abort();
      await done;
      return { first, last };
    });
    expect(after.last).toBe(after.first);
    expect([getEventListeners(abort.signal, "abort"), clock.pending]).toEqual([[], 0]);
  },
);
