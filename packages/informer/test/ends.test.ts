import { setImmediate as turn } from "node:timers/promises";
import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import { createInformer, follow, until, waitFor, watchFrom } from "@typekube/informer";
import type { Client } from "typekube";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Starts something that watches, ends it after some moments, and returns its outcome. */
type Watching = (client: Client, moment: () => Promise<void>) => Promise<unknown>;

const reason = new Error("enough");
const never = () => false;
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => error,
  );

async function readAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events) {
    // The events don't matter here.
  }
}

/** Ends it by a signal. */
const bySignal =
  (watch: (client: Client, signal: AbortSignal) => Promise<unknown>): Watching =>
  async (client, moment) => {
    const stop = new AbortController();
    const ended = outcome(watch(client, stop.signal));
    await moment();
    stop.abort(reason);
    return ended;
  };

/** Ends it by `return` while a read is pending. */
const byReturn =
  (watch: (client: Client) => AsyncIterable<unknown>): Watching =>
  async (client, moment) => {
    const iterator = watch(client)[Symbol.asyncIterator]();
    const reading = readAll({ [Symbol.asyncIterator]: () => iterator });
    const next = iterator.next();
    await moment();
    await iterator.return?.();
    await next;
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    return outcome(reading);
  };

const versions = { resourceVersion: "1" };
let api: ApiServer<VirtualClock>;
beforeAll(async () => {
  api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  for (const name of ["a", "b", "c"]) {
    await client.resource(ConfigMap, "default").create({ metadata: { name } });
  }
});
afterAll(() => api.close());

it.each<[string, Watching, unknown]>([
  [
    "follow, ended by its signal",
    bySignal((c, signal) => readAll(follow(c, ConfigMap, { signal }))),
    "done",
  ],
  [
    "follow with paged lists, ended by its signal",
    bySignal((c, signal) =>
      readAll(follow(c, ConfigMap, { signal, streamingList: false, pageSize: 1 })),
    ),
    "done",
  ],
  ["follow, ended by return()", byReturn((c) => follow(c, ConfigMap)), "done"],
  [
    "watchFrom, ended by its signal",
    bySignal((c, signal) => readAll(watchFrom(c, ConfigMap, { ...versions, signal }))),
    "done",
  ],
  ["watchFrom, ended by return()", byReturn((c) => watchFrom(c, ConfigMap, versions)), "done"],
  [
    "until, ended by its signal",
    bySignal((c, signal) => until(c, ConfigMap, never, { signal })),
    reason,
  ],
  [
    "until with a slow condition, ended by its signal",
    bySignal((c, signal) => until(c, ConfigMap, () => turn(false), { signal })),
    reason,
  ],
  [
    "waitFor, ended by its signal",
    bySignal((c, signal) => waitFor(c, ConfigMap, "a", never, { namespace: "default", signal })),
    reason,
  ],
  [
    "an informer, ended by its signal",
    bySignal((c, signal) => createInformer(c, ConfigMap, { signal }).synced()),
    expect.anything(),
  ],
  [
    "an informer that moves to a shard, ended by close()",
    async (client, moment) => {
      const informer = createInformer(client, ConfigMap);
      const moved = outcome(informer.reshard({ index: 0, count: 2 }));
      const read = outcome(readAll(informer.changes()));
      await moment();
      await informer.close();
      await moved;
      return read;
    },
    "done",
  ],
])("T7, R35: %s: nothing stays open, at whatever moment it ends", async (_, watch, expected) => {
  await using client = await api.client();
  const timers = api.clock.pending;
  for (let turns = 0; turns < 6; turns++) {
    for (let ticks = 0; ticks < 30; ticks += 3) {
      const ended = await watch(client, async () => {
        for (let i = 0; i < turns; i++) {
          await turn();
        }
        for (let i = 0; i < ticks; i++) {
          await undefined;
        }
      });
      expect([turns, ticks, ended]).toEqual([turns, ticks, expected]);
      await turn();
      expect([turns, ticks, api.openWatches, api.clock.pending]).toEqual([turns, ticks, 0, timers]);
    }
  }
});
