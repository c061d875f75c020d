import { getEventListeners } from "node:events";
import type { KubeObject } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import { type Change, Informer } from "@typekube/informer";
import {
  followSource,
  SharedCache,
  untilOf,
  waitForOf,
  watchSourceFrom,
} from "@typekube/informer/internal";
import { expect, test, vi } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, errorEvent, failure, modified, status } from "./wire-events.js";

const hangs = () => new Promise<boolean>(() => {});

test("T9: a condition that never settles does not outlast the timeout, and nothing stays open", async () => {
  const clock = createVirtualClock();
  const source = new ScriptedSource({ lists: [list(10, pod("a", 10))] });
  const options = { streamingList: false, timeoutMs: 1_000 };
  const waiting = untilOf(source, hangs, options, clock);
  const outcome = expect(waiting).rejects.toMatchObject({ code: "DeadlineExceeded" });
  await clock.advance(1_000);
  await outcome;
  expect([source.open, clock.pending]).toEqual([0, 0]);
});

test("T9: a condition that never settles does not outlast the signal, and its late error is ignored", async () => {
  const clock = createVirtualClock();
  const source = new ScriptedSource({ lists: [list(10, pod("a", 10))] });
  const controller = new AbortController();
  let fail = (_: Error) => {};
  const condition = () => new Promise<boolean>((_, reject) => (fail = reject));
  const options = { streamingList: false, signal: controller.signal };
  const waiting = untilOf(source, condition, options, clock);
  const outcome = expect(waiting).rejects.toThrow("enough");
  await clock.advance(0);
  controller.abort(new Error("enough"));
  await outcome;
  fail(new Error("too late"));
  await clock.advance(0);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("T9: calls no condition after the end of the wait, even when a pending one resolves", async () => {
  const clock = createVirtualClock();
  const log: string[] = [];
  let response = (_: boolean) => {};
  const slowly = (what: string | undefined) => {
    log.push(`asked ${what}`);
    return new Promise<boolean>((resolve) => {
      response = resolve;
    });
  };
  const options = { streamingList: false, timeoutMs: 100 };
  const both = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
  const conditions = [
    ({ key }: Change) => slowly(key),
    ({ key }: Change) => log.push(`second ${key}`) < 0,
  ];
  const changed = untilOf(both, conditions, options, clock).catch(() => log.push("end"));
  await clock.advance(200);
  response(true);
  await changed;
  await clock.advance(0);
  expect(log.splice(0)).toEqual(["asked default/a", "end"]);

  const source = new ScriptedSource({
    lists: [list(1, pod("a", 1))],
    watches: [{ batches: [[modified(pod("a", 2)), modified(pod("a", 3))]] }],
  });
  const isThere = (object: KubeObject | undefined) => {
    const version = object?.metadata?.resourceVersion;
    return version === "1" ? false : slowly(version);
  };
  const there = waitForOf(source, "a", isThere, options, clock).catch(() => log.push("end"));
  await clock.advance(200);
  response(false);
  await there;
  await clock.advance(0);
  expect(log).toEqual(["asked 2", "end"]);
});

test("calls the condition of an object once per state, not for bookmarks or an unchanged snapshot", async () => {
  const clock = createVirtualClock();
  const gone = errorEvent(status(410, "Expired"));
  const source = new ScriptedSource({
    lists: [list(1), list(4, pod("a", 3))],
    watches: [
      { batches: [[bookmark(2)], [added(pod("a", 3))], [bookmark(4)], [gone]] },
      { batches: [[bookmark(5)], [modified(pod("a", 6))]] },
    ],
  });
  const requested: (string | undefined)[] = [];
  const waiting = waitForOf(
    source,
    "a",
    (object) => requested.push(object?.metadata?.resourceVersion) === 3,
    { streamingList: false },
    clock,
  );
  await clock.advance(5_000);
  expect((await waiting)?.metadata.resourceVersion).toBe("6");
  expect(requested).toEqual([undefined, "3", "6"]);
});

test("changing the options later has no effect", async () => {
  const clock = createVirtualClock();
  const source = new ScriptedSource({ lists: Array(4).fill(list(1)) });
  const options = {
    streamingList: false,
    labelSelector: { app: "a" },
    fieldSelector: { "spec.nodeName": "n1" },
    backoff: { initialMs: 50 },
    resourceVersion: "5",
    timeoutMs: 500,
  };
  const first = (events: AsyncIterable<unknown>) => events[Symbol.asyncIterator]();
  const following = [
    first(followSource(source, options, clock)),
    first(watchSourceFrom(source, options, clock)),
  ];
  const waits = [
    untilOf(source, () => false, options, clock),
    waitForOf(source, "x", () => false, options, clock),
  ].map((wait) => wait.catch(({ code }: KubeError) => code));
  options.streamingList = true;
  options.labelSelector.app = "b";
  options.fieldSelector["spec.nodeName"] = "n2";
  const reads = following.map((events) => events.next());
  await clock.advance(1_000);
  expect(await Promise.all(waits)).toEqual(["DeadlineExceeded", "DeadlineExceeded"]);
  await Promise.all(following.map((events) => events.return?.()));
  await Promise.all(reads);
  const requested = [...source.lists, ...source.watches];
  expect(requested).toHaveLength(3 + 4);
  expect(new Set(requested.map(({ labelSelector }) => labelSelector))).toEqual(new Set(["app=a"]));
  expect(new Set(requested.map(({ fieldSelector }) => JSON.stringify(fieldSelector)))).toEqual(
    new Set(['"spec.nodeName=n1"', '"metadata.name=x"']),
  );
});

test("an iteration that ends with an error leaves no listener on the caller's signal", async () => {
  const { signal } = new AbortController();
  const source = new ScriptedSource({ watches: [failure(403, "Forbidden")] });
  const events = watchSourceFrom(source, { resourceVersion: "5", signal }, createVirtualClock());
  const read = async () => {
    for await (const _ of events) {
      // No event arrives.
    }
  };
  await expect(read()).rejects.toMatchObject({ code: "Forbidden" });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("R13: a back-off option that is undefined gets its default", async () => {
  const delays: number[] = [];
  const { informer, settle } = observe(new ScriptedSource({}), {
    backoff: { maxMs: undefined, initialMs: undefined } as never,
    onState: (state) => state.name === "waiting" && delays.push(state.delayMs),
  });
  await settle();
  expect(delays).toEqual([800]);
  await informer.close();
});

test("a cache that was created for an informer with an aborted signal is not kept for others", async () => {
  const onEnd = vi.fn();
  const source = new ScriptedSource({});
  const cache = new SharedCache(source, {}, createVirtualClock(), onEnd);
  await new Informer(cache, { signal: AbortSignal.abort() }).close();
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect([source.lists, source.watches]).toEqual([[], []]);
});

type Observed = ReturnType<typeof observe>["informer"];

test.each<[string, (informer: Observed, options: never) => Promise<unknown>]>([
  ["synced", (informer, options) => informer.synced(options)],
  ["caughtUpTo", (informer, options) => informer.caughtUpTo("99", options)],
  [
    "a handler's synced",
    (informer, options) => informer.onChange({ add: () => {} }).synced(options),
  ],
  ["until", (_, options) => untilOf(new ScriptedSource({}), () => true, options)],
])("%s rejects an invalid timeout and an invalid signal, as calls do", async (_, wait) => {
  const { informer } = observe(new ScriptedSource({}));
  for (const [options, message, hint] of [
    [{ timeoutMs: Number.NaN }, "timeoutMs: must be a number of at least 0", "omit it"],
    [{ timeoutMs: "5" }, "timeoutMs: must be a number of at least 0", "omit it"],
    [{ signal: {} }, "signal: must be an AbortSignal", "AbortController"],
  ] as const) {
    const error = await wait(informer, options as never).then(
      () => expect.fail("it waits"),
      (caught: KubeError) => caught,
    );
    expect([error.code, error.rawMessage]).toEqual(["InvalidArgument", message]);
    expect(error.hint).toContain(hint);
  }
  await informer.close();
});

test("a handler's synced times out when the first snapshot does not arrive", async () => {
  const { informer, clock } = observe(new ScriptedSource({}));
  const waiting = informer.onChange({ add: () => {} }).synced({ timeoutMs: 500 });
  const outcome = expect(waiting).rejects.toMatchObject({ code: "DeadlineExceeded" });
  await clock.advance(500);
  await outcome;
  await informer.close();
});
