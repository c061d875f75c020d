import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

const streaming = { streamingList: true } as const;
const ended = bookmark(10, "true");
const gone = errorEvent(status(410, "Expired"));

describe("streaming lists", () => {
  it("requests initial events with NotOlderThan, without a limit", async () => {
    const source = new ScriptedSource({});
    const { informer, settle } = observe(source, streaming);
    await settle();
    expect(source.watches[0]).toMatchObject({
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      resourceVersion: undefined,
      timeoutSeconds: 300,
    });
    expect(source.lists).toEqual([]);
    await informer.close();
  });

  it("W1: the cache stays empty when it is closed before the end bookmark", async () => {
    const source = new ScriptedSource({ watches: [{ batches: [[added(pod("p1", 1))]] }] });
    const { informer, settle, content, errors } = observe(source, streaming);
    await settle();
    expect(content()).toEqual([]);
    await informer.close();
    expect([source.watches.length, source.lists.length, errors.length]).toEqual([1, 0, 0]);
  });

  it("W2, W14: when switched off, lists at 0 by 500 and watches", async () => {
    const source = new ScriptedSource({ lists: [{ items: [], version: 1 }] });
    const { informer, settle } = observe(source, { streamingList: false });
    await settle();
    expect(source.lists[0]).toMatchObject({ resourceVersion: "0", limit: 500 });
    expect(source.watches[0]).toMatchObject({ resourceVersion: "1" });
    expect(source.watches[0]?.sendInitialEvents).toBeUndefined();
    await informer.close();
  });

  it.each([
    ["W3: any error", failure(500, "InternalError")],
    ["W3: an error that is not a server response", new Error("boom") as KubeError],
    ["W4: Invalid, from a server without streaming lists", failure(422, "Invalid")],
  ])("%s at the start falls back to a list and a plain watch", async (_, error) => {
    const source = new ScriptedSource({
      lists: [{ items: [pod("p1", 1)], version: 2 }],
      watches: [error, { batches: [[added(pod("p2", 3))]] }],
    });
    const { informer, settle, content } = observe(source, streaming);
    await settle();
    expect(source.listVersions).toEqual(["0"]);
    expect(source.lists[0]?.limit).toBe(500);
    expect(source.watches[1]?.sendInitialEvents).toBeUndefined();
    expect(source.watches[1]?.resourceVersion).toBe("2");
    expect(content()).toEqual(["p1@1", "p2@3"]);
    await informer.close();
  });

  it("W4 [+]: a server that can't stream gets no further streaming lists", async () => {
    const source = new ScriptedSource({
      lists: [
        { items: [], version: 2 },
        { items: [], version: 3 },
      ],
      watches: [failure(422, "Invalid"), { outcome: failure(500, "InternalError") }],
    });
    const { informer, clock } = observe(source, streaming);
    await clock.advance(5_000);
    expect(source.listVersions).toEqual(["0", "2"]);
    expect(source.watches.filter((watch) => watch.sendInitialEvents)).toHaveLength(1);
    await informer.close();
  });

  it("W4: a rejection that a list gets too says nothing about streaming", async () => {
    const source = new ScriptedSource({
      lists: [failure(400, "BadRequest"), list(3)],
      watches: [failure(400, "BadRequest")],
    });
    const streamingLists = { areMissing: false, silent: 0 };
    const { informer, clock } = observe(Object.assign(source, { streamingLists }), streaming);
    await clock.advance(5_000);
    expect([informer.isSynced, streamingLists.areMissing]).toEqual([true, false]);
    await informer.close();
  });

  it("W5: the end bookmark completes the snapshot; the same request continues as the watch", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[added(pod("a", 1)), added(pod("b", 2)), ended], [added(pod("c", 11))]] },
      ],
    });
    const { informer, settle, content } = observe(source, streaming);
    await informer.synced();
    await settle();
    expect(content()).toEqual(["a@1", "b@2", "c@11"]);
    expect([source.watches.length, source.lists.length]).toEqual([1, 0]);
    await informer.close();
  });

  it("W6: changes between the initial events are applied", async () => {
    const source = new ScriptedSource({
      watches: [
        {
          batches: [
            [
              added(pod("a", 1)),
              added(pod("b", 2)),
              modified(pod("a", 3)),
              added(pod("c", 4)),
              deleted(pod("b", 5)),
              ended,
            ],
          ],
        },
      ],
    });
    const { informer, settle, content } = observe(source, streaming);
    await settle();
    expect(content()).toEqual(["a@3", "c@4"]);
    await informer.close();
  });

  it("W7: 429 on the first two starts: three streaming requests with delays in between, no list", async () => {
    const source = new ScriptedSource({
      watches: [
        failure(429, "TooManyRequests"),
        failure(429, "TooManyRequests"),
        { batches: [[ended]] },
      ],
    });
    const { informer, clock } = observe(source, streaming);
    const requested: number[] = [];
    for (const afterMs of [0, 799, 1, 1_599, 1]) {
      await clock.advance(afterMs);
      requested.push(source.watches.length);
    }
    expect(requested).toEqual([1, 1, 2, 2, 3]);
    expect(source.watches.map((watch) => watch.sendInitialEvents)).toEqual([true, true, true]);
    expect(source.lists).toEqual([]);
    expect(informer.isSynced).toBe(true);
    await informer.close();
  });

  it("W8: repeats a stream that ends before the bookmark, and drops what it delivered", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[added(pod("gone", 1))]], outcome: "end" },
        { batches: [[added(pod("a", 2)), ended]] },
      ],
    });
    const { informer, clock, content } = observe(source, streaming);
    await clock.advance(5_000);
    expect(source.watches.map((watch) => watch.sendInitialEvents)).toEqual([true, true]);
    expect(content()).toEqual(["a@2"]);
    await informer.close();
  });

  it("W8: backs off after a stream that ends before the bookmark, however long it lasted", async () => {
    const source = new ScriptedSource({});
    const { informer, clock } = observe(source, { ...streaming, random: () => 0.5 });
    const requestedAt: number[] = [];
    source.watchBatches = async function* ({ signal }) {
      requestedAt.push(clock.now());
      yield [added(pod("a", 1))];
      await sleep(clock, 5_000, signal);
    };
    await clock.advance(5_000);
    expect(requestedAt).toHaveLength(1);
    await clock.advance(10_000);
    expect((requestedAt[1] ?? 0) - (requestedAt[0] ?? 0)).toBeGreaterThan(5_000);
    expect(informer.isSynced).toBe(false);
    await informer.close();
  });

  it("W8 [+]: lists, this once, after the third cut stream in a row: a proxy may not pass streams", async () => {
    const cut = { batches: [[added(pod("a", 1))]], outcome: "end" } as const;
    const reset = { outcome: new KubeError("ConnectionReset", "reset") };
    const source = new ScriptedSource({
      lists: [list(7, pod("a", 1))],
      watches: [
        failure(429, "TooManyRequests"),
        { outcome: "end" },
        cut,
        reset,
        { batches: [[errorEvent(status(410, "Expired"))]] },
        { batches: [[bookmark(9, "true")]] },
      ],
    });
    const { informer, clock } = observe(source, streaming);
    await clock.advance(20_000);
    expect(source.listVersions).toEqual(["0"]);
    expect(source.watches.map(({ sendInitialEvents = false }) => sendInitialEvents)).toEqual([
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(informer.resourceVersion).toBe("9");
    await informer.close();
  });

  it("W9: after the snapshot the next request is a plain watch from the last resourceVersion", async () => {
    const source = new ScriptedSource({ watches: [{ batches: [[ended]], outcome: "end" }] });
    const { informer, settle } = observe(source, streaming);
    await settle();
    expect(source.watches[1]).toMatchObject({ resourceVersion: "10" });
    expect(source.watches[1]?.sendInitialEvents).toBeUndefined();
    await informer.close();
  });

  it("W10: reports 410 after the snapshot, and keeps the content until the new snapshot is complete", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[added(pod("a", 1)), ended]], outcome: "end" },
        failure(410, "Expired"),
        { batches: [[added(pod("b", 12))]] },
      ],
    });
    const { informer, settle, content, errors } = observe(source, streaming);
    await settle();
    expect(errors.map((error) => error.code)).toEqual(["Expired"]);
    expect(content()).toEqual(["a@1"]);
    expect(source.watches[2]).toMatchObject({ sendInitialEvents: true, resourceVersion: "10" });
    await informer.close();
  });

  it("N9: requests the newest state when a streaming list has an ERROR event for an expired resourceVersion", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[ended]], outcome: failure(410, "Expired") },
        { batches: [[errorEvent(status(410, "Expired"))]] },
      ],
    });
    const { informer, settle } = observe(source, streaming);
    await settle();
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual([
      undefined,
      "10",
      undefined,
    ]);
    await informer.close();
  });

  it("N9: lists when a server reports the newest state as expired again and again", async () => {
    const source = new ScriptedSource({
      lists: [list(7, pod("a", 1))],
      watches: Array(3).fill({ batches: [[added(pod("a", 1)), gone]] }),
    });
    const { informer, clock, content } = observe(source, streaming);
    await clock.advance(10_000);
    expect([source.listVersions, content()]).toEqual([[""], ["a@1"]]);
    await informer.close();
  });

  it("W11, WAT15: a bookmark whose annotation is not true ends nothing", async () => {
    const source = new ScriptedSource({
      watches: [{ batches: [[bookmark(5), bookmark(6, "false")]] }],
    });
    const { informer, settle } = observe(source, streaming);
    await settle();
    expect(informer.isSynced).toBe(false);
    await informer.close();
  });

  it("W12, WAT14: initial events do not move the resourceVersion, the end bookmark does", async () => {
    for (const [batch, version] of [
      [[], ""],
      [[added(pod("a", 5))], ""],
      [[added(pod("a", 5)), ended], "10"],
    ] as const) {
      const source = new ScriptedSource({ watches: [{ batches: [batch] }] });
      const { informer, settle } = observe(source, streaming);
      await settle();
      expect(informer.resourceVersion).toBe(version);
      await informer.close();
    }
  });

  it("W12: nor does a deletion among them: cut before the end, the next request has no resourceVersion", async () => {
    const reset = new KubeError("ConnectionReset", "reset");
    const source = new ScriptedSource({
      watches: [{ batches: [[added(pod("a", 5)), deleted(pod("a", 7))]], outcome: reset }],
    });
    const { informer, clock } = observe(source, streaming);
    await clock.advance(5_000);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual([undefined, undefined]);
    await informer.close();
  });

  it("W13: waits for initial events that keep arriving within the deadline, however long that takes", async () => {
    const source = new ScriptedSource({});
    const { informer, clock, content, errors } = observe(source, streaming);
    source.watchBatches = async function* ({ signal }) {
      for (let i = 1; i <= 5; i++) {
        await sleep(clock, 9_000, signal);
        yield [added(pod(`p${i}`, i))];
      }
      await sleep(clock, 9_000, signal);
      yield [ended];
    };
    await clock.advance(60_000);
    expect([content().length, errors, source.lists]).toEqual([5, [], []]);
    await informer.close();
  });

  it("W17, WAT16: lists when a server ignores sendInitialEvents, even when objects change all the time", async () => {
    const source = new ScriptedSource({ lists: [list(7, pod("a", 7))] });
    const { informer, clock, content } = observe(source, streaming);
    source.watchBatches = async function* ({ signal, ...options }) {
      source.watches.push(options);
      yield [added(pod("a", 7))];
      for (let version = 8; ; version++) {
        await sleep(clock, 2_000, signal);
        yield [modified(pod("a", version))];
      }
    };
    await clock.advance(14_000);
    expect(content()).toEqual(["a@8"]);
    expect(source.watches.map(({ sendInitialEvents }) => sendInitialEvents)).toEqual([
      true,
      undefined,
    ]);
    await informer.close();
  });

  const endless = { batches: [[added(pod("a", 1))]] };
  const isStreaming = (source: ScriptedSource) =>
    source.watches.map(({ sendInitialEvents = false }) => sendInitialEvents);

  it("W17, WAT16: lists after a minute when a server ignores sendInitialEvents and objects are created at times", async () => {
    const source = new ScriptedSource({ lists: [list(70, pod("a", 7))] });
    const { informer, clock, content, errors } = observe(source, streaming);
    source.watchBatches = async function* ({ signal, ...options }) {
      source.watches.push(options);
      for (let version = 71; ; version++) {
        await sleep(clock, 2_000, signal);
        yield [added(pod(`p${version}`, version))];
      }
    };
    await clock.advance(59_000);
    expect([errors, source.lists]).toEqual([[], []]);
    await clock.advance(4_000);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["DeadlineExceeded", expect.stringContaining("no initial event of pods")],
    ]);
    expect(content()).toEqual(["a@7", "p71@71"]);
    expect(isStreaming(source)).toEqual([true, false]);
    await informer.close();
  });

  it("W13: a slow connection is not a trickle: waits for ten objects per deadline", async () => {
    const source = new ScriptedSource({});
    const { informer, clock, content, errors } = observe(source, streaming);
    source.watchBatches = async function* ({ signal }) {
      for (let i = 1; i <= 120; i++) {
        await sleep(clock, 900, signal);
        yield [added(pod(`p${i}`, i))];
      }
      yield [ended];
      await sleep(clock, 60_000, signal);
    };
    await clock.advance(125_000);
    expect([content().length, errors]).toEqual([120, []]);
    await informer.close();
  });

  it("W17: without an end bookmark within the deadline, lists now and from then on", async () => {
    const source = new ScriptedSource({
      lists: [list(7, pod("a", 1)), list(8), list(9)],
      watches: [endless, { batches: [[gone]] }, { batches: [[gone]] }],
    });
    const { informer, clock, errors } = observe(source, streaming);
    await clock.advance(9_000);
    expect(source.lists).toEqual([]);
    await clock.advance(10_000);
    expect(errors[0]).toBeInstanceOf(KubeError);
    expect(errors[0]).toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("no initial event of pods"),
    });
    expect(source.listVersions[0]).toBe("0");
    await clock.advance(60_000);
    expect(source.listVersions).toEqual(["0", "7", "8"]);
    expect(isStreaming(source)).toEqual([true, false, false, false]);
    await informer.close();
  });

  it("a response without an event means a server in trouble, two in a row one that can't stream", async () => {
    const source = new ScriptedSource({
      lists: [list(7), list(8), list(9)],
      watches: [{}, { batches: [[gone]] }, {}, { batches: [[gone]] }],
    });
    const { informer, clock } = observe(source, streaming);
    await clock.advance(60_000);
    expect(isStreaming(source)).toEqual([true, false, true, false, false]);
    await informer.close();
  });

  it("responses without an event count from zero after a completed streaming list, or a failed list", async () => {
    const fine = { batches: [[ended], [gone]] };
    const source = new ScriptedSource({
      lists: [list(7), failure(503, "ServiceUnavailable"), list(11)],
      watches: [
        {},
        { batches: [[gone]] },
        fine,
        {},
        {},
        { batches: [[gone]] },
        { batches: [[bookmark(20, "true")]] },
      ],
    });
    const { informer, clock } = observe(source, streaming);
    await clock.advance(60_000);
    expect(source.lists).toHaveLength(3);
    expect(isStreaming(source)).toEqual([true, false, true, true, true, false, true]);
    await informer.close();
  });

  it("a server without any response is in trouble, not unable: lists this once", async () => {
    const source = new ScriptedSource({ lists: [list(7)] });
    const { informer, clock, errors } = observe(source, streaming);
    const startedAt = clock.now();
    const usual = source.watchBatches.bind(source);
    source.watchBatches = async function* (options, supervisor) {
      if (clock.now() - startedAt < 10_500) {
        source.watches.push(options);
        await sleep(clock, 10_500, options.signal);
      }
      if (options.sendInitialEvents) {
        supervisor?.onResponse?.();
        yield [added(pod("a", 8)), bookmark(10 + source.watches.length, "true")];
      }
      await sleep(clock, 60_000, options.signal);
      yield [gone];
      yield* usual(options, supervisor);
    };
    await clock.advance(11_000);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["DeadlineExceeded", expect.stringContaining("no response to the streaming list of pods")],
    ]);
    expect(informer.isSynced).toBe(true);
    await clock.advance(15 * 60_000);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });
});
