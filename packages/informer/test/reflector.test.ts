import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";
import { maxRetryAfterMs } from "../src/backoff/retry-delay.js";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource, type WatchResponse } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

/** A request that never gets a response; reports when it is aborted. */
async function* hanging(
  signal: AbortSignal | undefined,
  onAbort: (reason: unknown) => void,
): AsyncGenerator<never, void> {
  await new Promise((_, reject) => {
    signal?.addEventListener(
      "abort",
      () => {
        onAbort(signal.reason);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

describe("the list-then-watch rounds of a reflector", () => {
  it("R1: an ERROR event without a Status ends the watch without throwing, and the watch is closed", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[errorEvent(pod("a", 2))]] }],
    });
    const { informer, settle, errors } = observe(source);
    await settle();
    expect(errors.map((error) => error.code)).toEqual(["Decode"]);
    expect(source.open).toBe(0);
    await informer.close();
  });

  it("R2: close() while watching ends the watch and resolves", async () => {
    const source = new ScriptedSource({ lists: [list(1)] });
    const { informer, settle, errors } = observe(source);
    await settle();
    expect(source.open).toBe(1);
    await informer.close();
    expect(source.open).toBe(0);
    expect(errors).toEqual([]);
    expect(informer.health.state).toBe("stopped");
  });

  it("R3: a handler with a resync period gets every object each period, others do not", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
    const { informer, clock } = observe(source);
    const resynced: string[] = [];
    const others: string[] = [];
    const handle = informer.onChange(
      {
        update: (object, previous) => {
          expect(object).toBe(previous);
          resynced.push(object.metadata.name);
        },
      },
      { resyncMs: 2_000 },
    );
    informer.onChange({ update: (object) => others.push(object.metadata.name) }, { resyncMs: 0 });
    await clock.advance(1_999);
    expect(resynced).toEqual([]);
    await clock.advance(4_001);
    expect(resynced).toEqual(["a", "b", "a", "b", "a", "b"]);
    await handle.remove();
    await clock.advance(10_000);
    expect(resynced).toHaveLength(6);
    expect(others).toEqual([]);
    await informer.close();
  });

  it("R4: an already aborted signal starts nothing", async () => {
    const source = new ScriptedSource({});
    const { informer, settle, errors } = observe(source, { signal: AbortSignal.abort() });
    await settle();
    expect([source.lists, source.watches, errors]).toEqual([[], [], []]);
    await informer.close();
  });

  it("R5: close() during the start of a watch ends it without an error or a second request", async () => {
    let requested = 0;
    const source = new ScriptedSource({ lists: [list(1)] });
    source.watchBatches = ({ signal }) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          requested++;
          return new Promise((_, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
        },
      }),
    });
    const { informer, settle, errors } = observe(source);
    await settle();
    await informer.close();
    await settle();
    expect([requested, errors]).toEqual([1, []]);
  });

  it.each([
    ["before", []],
    ["after", [[added(pod("a", 2))]]],
  ])("R6: close() %s the first event ends the loop and the watch", async (_, batches) => {
    const source = new ScriptedSource({ lists: [list(1)], watches: [{ batches }] });
    const { informer, settle, errors } = observe(source);
    await settle();
    await informer.close();
    expect([source.open, source.watches.length, errors]).toEqual([0, 1, []]);
  });

  it("R10: close() from within a handler takes effect within one event", async () => {
    const events = [2, 3, 4].map((version) => added(pod(`p${version}`, version)));
    const source = new ScriptedSource({ lists: [list(1)], watches: [{ batches: [events] }] });
    const { informer, settle, errors } = observe(source);
    const seen: string[] = [];
    let closing: Promise<void> | undefined;
    informer.onChange({
      add: (object) => {
        seen.push(object.metadata.name);
        closing = informer.close();
      },
    });
    await settle();
    await closing;
    expect(seen).toEqual(["p2"]);
    expect([source.open, errors]).toEqual([0, []]);
  });

  it("R7: reports a watch that ends within a second without any event", async () => {
    const source = new ScriptedSource({ lists: [list(1)], watches: [{ outcome: "end" }] });
    const { informer, settle, errors } = observe(source);
    await settle();
    expect(errors[0]?.message).toContain("very short watch");
    expect(errors[0]?.message).toContain("pods");
    await informer.close();
  });

  it("R7 [+]: backs off from short watches that bring only a bookmark of the known resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: Array.from({ length: 50 }, () => ({
        batches: [[bookmark(1)]],
        outcome: "end" as const,
      })),
    });
    const { informer, clock, errors } = observe(source);
    await clock.advance(5_000);
    expect(errors[0]?.message).toContain("very short watch");
    expect(source.watches.length).toBeLessThan(6);
    await informer.close();
  });

  it("R8: a watch that ends after an event ended normally: the next resumes from the last resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[added(pod("a", 2))]], outcome: "end" }],
    });
    const { informer, settle, errors } = observe(source);
    await settle();
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "2"]);
    expect(errors).toEqual([]);
    await informer.close();
  });

  it("R8: a watch that ends after a second ended normally too, even without an event", async () => {
    const source = new ScriptedSource({ lists: [list(1)] });
    const { informer, clock, errors } = observe(source);
    source.watchBatches = async function* (options) {
      source.watches.push(options);
      yield [];
      await sleep(clock, 1_000, options.signal);
    };
    await clock.advance(4_500);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(Array(5).fill("1"));
    expect([errors, source.lists.length]).toEqual([[], 1]);
    await informer.close();
  });

  it("R9 [+]: ignores objects of another type; a lower resourceVersion does not move it back (client-go: it does)", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("foo", 1), pod("bar", 1))],
      watches: [
        {
          batches: [
            [
              added({ kind: "Service", metadata: { name: "x", resourceVersion: "99" } }),
              deleted(pod("foo", 50)),
              modified(pod("bar", 55)),
              added(pod("baz", 32)),
            ],
          ],
        },
      ],
    });
    const { informer, settle, content, errors } = observe(source);
    await settle();
    expect(content()).toEqual(["bar@55", "baz@32"]);
    expect(informer.resourceVersion).toBe("55");
    expect(errors[0]?.message).toContain(
      "skipped an event of type ADDED whose object has the kind Service",
    );
    await informer.close();
  });

  it("R11: the first list is at 0, the watch starts at the list's resourceVersion with bookmarks, events follow", async () => {
    const events = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((version) =>
      added(pod(`p${version}`, version)),
    );
    const source = new ScriptedSource({ lists: [list(1)], watches: [{ batches: [events] }] });
    const { informer, settle, content } = observe(source);
    await settle();
    expect(source.listVersions).toEqual(["0"]);
    expect(source.watches[0]).toMatchObject({ resourceVersion: "1" });
    expect(source.watches[0]?.allowWatchBookmarks ?? true).toBe(true);
    expect(content()).toHaveLength(9);
    expect(informer.resourceVersion).toBe("10");
    await informer.close();
  });

  it("R12: the cache is right after each round, even with a failed list and a failed watch among them", async () => {
    const next = failure(500, "InternalError", "next round");
    const source = new ScriptedSource({
      lists: [
        list(1, pod("a", 1)),
        list(4, pod("a", 1), pod("b", 4)),
        failure(500, "InternalError", "list broke"),
        list(8, pod("c", 8)),
        list(10, pod("c", 8), pod("d", 10)),
        list(12, pod("d", 10)),
      ],
      watches: [
        { batches: [[added(pod("b", 2)), modified(pod("b", 3))]], outcome: next },
        { batches: [[deleted(pod("a", 5)), added(pod("c", 6))]], outcome: next },
        failure(403, "Forbidden", "watch broke"),
        { batches: [[modified(pod("d", 11))]], outcome: next },
        { batches: [[added(pod("e", 13))]] },
      ],
    });
    const { informer, clock, content, errors } = observe(source, {
      backoff: { initialMs: 1_000, maxMs: 1_000, jitter: 0 },
    });
    const rounds: string[] = [];
    for (let round = 0; round < 6; round++) {
      await clock.advance(round === 0 ? 0 : 1_000);
      rounds.push(content().join(" "));
    }
    expect(rounds).toEqual([
      "a@1 b@3",
      "b@4 c@6",
      "b@4 c@6", // the list failed
      "c@8", // the watch failed
      "c@8 d@11",
      "d@10 e@13",
    ]);
    expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([
      "next round",
      "next round",
      "list broke",
      "watch broke",
      "next round",
    ]);
    await informer.close();
  });

  it("R13: five refused connections back off and list only once", async () => {
    const refused = () => new KubeError("ConnectionRefused", "refused");
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [refused(), refused(), refused(), refused(), refused()],
    });
    const { informer, clock, settle } = observe(source, {
      backoff: { initialMs: 1, maxMs: 50, factor: 2, jitter: 1 },
      random: () => 0.5,
    });
    await settle();
    const start = clock.now();
    let elapsed = 0;
    while (source.watches.length < 6 && elapsed < 1000) {
      await clock.advance(0.5);
      elapsed = clock.now() - start;
    }
    expect(elapsed).toBeGreaterThanOrEqual(32);
    expect(elapsed).toBeLessThanOrEqual(64);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });

  it("R16: 429 at the start and as an ERROR event: two waits, no list, the same resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [
        failure(429, "TooManyRequests"),
        { batches: [[errorEvent(status(429, "TooManyRequests"))]] },
      ],
    });
    const states: string[] = [];
    const { informer, clock } = observe(source, { onState: ({ name }) => states.push(name) });
    await clock.advance(60_000);
    expect(states.filter((name) => name === "waiting")).toHaveLength(2);
    expect(source.lists).toHaveLength(1);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "1", "1"]);
    await informer.close();
  });

  it("R16: events before an ERROR in the same group count", async () => {
    const refused = errorEvent(status(429, "TooManyRequests"));
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[added(pod("a", 2)), refused, added(pod("never", 3))]] }],
    });
    const { informer, clock, content } = observe(source);
    await clock.advance(5_000);
    expect(content()).toEqual(["a@2"]);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "2"]);
    await informer.close();
  });

  it("R17: four 429 responses and then a watch: one list, five watches", async () => {
    const throttled = () => failure(429, "TooManyRequests");
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [throttled(), throttled(), throttled(), throttled()],
    });
    const { informer, clock } = observe(source);
    await clock.advance(60_000);
    expect([source.lists.length, source.watches.length]).toEqual([1, 5]);
    await informer.close();
  });

  it.each<[string, WatchResponse | KubeError]>([
    ["at the start", failure(429, "TooManyRequests", "slow down", { retryAfterSeconds: 20 })],
    [
      "in an ERROR event",
      {
        batches: [
          [errorEvent(status(429, "TooManyRequests", "slow down", { retryAfterSeconds: 20 }))],
        ],
      },
    ],
  ])("N10: waits for a Retry-After %s that is longer than the back-off", async (_, slow) => {
    const source = new ScriptedSource({ lists: [list(1)], watches: [slow] });
    const { informer, clock } = observe(source);
    await clock.advance(19_000);
    expect(source.watches).toHaveLength(1);
    await clock.advance(1_000);
    expect(source.watches).toHaveLength(2);
    await informer.close();
  });

  it("N10: retries after ten minutes when Retry-After is days", async () => {
    const days = { retryAfterSeconds: 5 * 24 * 3_600 };
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [failure(429, "TooManyRequests", "slow down", days)],
    });
    const { informer, clock } = observe(source);
    await clock.advance(maxRetryAfterMs - 1_000);
    expect(source.watches).toHaveLength(1);
    await clock.advance(1_000);
    expect(source.watches).toHaveLength(2);
    await informer.close();
  });

  it("R20: uses a page size at a known resourceVersion, and follows continue tokens", async () => {
    const names = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => pod(`p${from + i}`, 1));
    const source = new ScriptedSource({
      lists: [
        list(9),
        { items: names(0, 4), version: 10, next: "C1" },
        { items: names(4, 8), version: 10, next: "C2" },
        { items: names(8, 10), version: 10 },
      ],
      watches: [failure(410, "Expired")],
    });
    const { informer, settle } = observe(source, { pageSize: 4 });
    await settle();
    expect(source.listVersions).toEqual(["0", "9", "(C1)", "(C2)"]);
    expect(source.lists.map((request) => request.limit)).toEqual([4, 4, 4, 4]);
    expect(source.lists[2]?.resourceVersion).toBeUndefined();
    expect(informer.health.objects).toBe(10);
    await informer.close();
  });

  it("R21, R23: each later list is at the last resourceVersion, also that of an event, and has no limit", async () => {
    const next = { batches: [[added(pod("a", 15))]], outcome: failure(500, "InternalError") };
    const source = new ScriptedSource({
      lists: [list(10), list(20), list(30)],
      watches: [next, { outcome: failure(500, "InternalError") }],
    });
    const { informer, clock } = observe(source);
    await clock.advance(5_000);
    expect(source.listVersions).toEqual(["0", "15", "20"]);
    expect(source.lists.map((request) => request.limit)).toEqual([500, undefined, undefined]);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["10", "20", "30"]);
    await informer.close();
  });

  it("R22: a list at 0 that arrives in pages means no watch cache: later lists are paged too", async () => {
    const source = new ScriptedSource({
      lists: [{ items: [pod("a", 1)], version: 10, next: "C1" }, list(10, pod("b", 1)), list(20)],
      watches: [{ outcome: failure(500, "InternalError") }],
    });
    const { informer, clock } = observe(source);
    await clock.advance(5_000);
    expect(source.listVersions).toEqual(["0", "(C1)", "10"]);
    expect(source.lists.map((request) => request.limit)).toEqual([500, 500, 500]);
    await informer.close();
  });

  it("R24: a list at an expired resourceVersion falls back to the newest state", async () => {
    const source = new ScriptedSource({
      lists: [list(10, pod("a", 1)), failure(410, "Expired"), list(30, pod("b", 25))],
      watches: [{ batches: [[errorEvent(status(410, "Expired"))]] }],
    });
    const { informer, settle, content, errors } = observe(source);
    await settle();
    expect(source.listVersions).toEqual(["0", "10", ""]);
    expect(errors.map(({ code }) => code)).toEqual(["Expired", "Expired"]);
    expect(informer.health.restarts).toEqual({ Expired: 2 });
    expect(content()).toEqual(["b@25"]);
    expect(source.watches.at(-1)?.resourceVersion).toBe("30");
    await informer.close();
  });

  it("N9: relists at once only once when a server expires every resourceVersion, then with growing delays", async () => {
    const expired = () => ({ batches: [[errorEvent(status(410, "Expired"))]] });
    const source = new ScriptedSource({
      lists: Array.from({ length: 50 }, (_, i) => list(10 + i)),
      watches: Array.from({ length: 50 }, expired),
    });
    const { informer, clock } = observe(source);
    await clock.advance(0);
    expect(source.lists).toHaveLength(2);
    await clock.advance(10_000);
    expect(source.lists.length).toBeLessThan(8);
    await informer.close();
  });

  it("N9: relists at once again when a resourceVersion expires long after the last expiry", async () => {
    const source = new ScriptedSource({ lists: [list(10), list(20), list(30)] });
    const { informer, clock } = observe(source);
    source.watchBatches = async function* (options) {
      source.watches.push(options);
      yield [bookmark(10 * source.watches.length + 1)];
      await sleep(clock, 70_000, options.signal);
      yield [errorEvent(status(410, "Expired"))];
    };
    await clock.advance(70_000);
    expect(source.lists).toHaveLength(2);
    await clock.advance(70_000);
    expect(source.lists).toHaveLength(3);
    await informer.close();
  });

  it("R25: replaces a second page that expired by one whole list at the requested resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [
        list(10, pod("a", 1)),
        { items: [pod("a", 1), pod("b", 1)], version: 11, next: "C1" },
        failure(410, "Expired"),
        list(12, pod("a", 1), pod("b", 1), pod("c", 12)),
      ],
      watches: [{ outcome: failure(500, "InternalError") }],
    });
    const { informer, clock, content, errors } = observe(source, { pageSize: 4 });
    await clock.advance(5_000);
    expect(source.listVersions).toEqual(["0", "10", "(C1)", "10"]);
    expect(errors.map(({ code }) => code)).toEqual(["InternalError", "Expired"]);
    expect(source.lists.at(-1)?.limit).toBeUndefined();
    expect(content()).toEqual(["a@1", "b@1", "c@12"]);
    await informer.close();
  });

  it('R26: lists the newest state at once after "too large", by cause type, cause message or message alone', async () => {
    const tooLarge = (message: string, details: object = {}) =>
      failure(504, "Timeout", message, details);
    const cause = { reason: "ResourceVersionTooLarge", message: "Too large" };
    const source = new ScriptedSource({
      lists: [
        list(20),
        tooLarge("Timeout: x", { causes: [cause] }),
        list(30),
        tooLarge("Timeout: x", { causes: [{ message: "Too large resource version" }] }),
        list(40),
        tooLarge("Timeout: Too large resource version: 40, current: 10"),
        list(50),
      ],
      watches: Array(3).fill({ outcome: failure(500, "InternalError") }),
    });
    const { informer, clock } = observe(source, {
      backoff: { initialMs: 1_000, maxMs: 1_000, jitter: 0 },
    });
    const startedAt = clock.now();
    const seconds: number[] = [];
    const usual = source.listParts.bind(source);
    source.listParts = (options) => {
      seconds.push((clock.now() - startedAt) / 1_000);
      return usual(options);
    };
    await clock.advance(10_000);
    expect(source.listVersions).toEqual(["0", "20", "", "30", "", "40", ""]);
    expect(seconds).toEqual([0, 1, 1, 2, 2, 3, 3]);
    expect(source.watches.at(-1)?.resourceVersion).toBe("50");
    await informer.close();
  });

  it("R28: each watch requests a random duration of 300 to 600 seconds, or longer by option", async () => {
    for (const [minWatchMs, random, seconds] of [
      [undefined, 0, 300],
      [1_000, 0.999, 600],
      [1_800_000, 0.5, 2_700],
    ] as const) {
      const source = new ScriptedSource({ lists: [list(1)] });
      const { informer, settle } = observe(source, { minWatchMs, random: () => random });
      await settle();
      expect(source.watches[0]?.timeoutSeconds).toBe(seconds);
      await informer.close();
    }
  });

  it("R29: the cache's resourceVersion follows every event, bookmarks included", async () => {
    const source = new ScriptedSource({ lists: [list(1)] });
    const { informer, clock } = observe(source);
    source.watchBatches = async function* ({ signal }) {
      const events = [
        added(pod("a", 10)),
        modified(pod("a", 20)),
        bookmark(30),
        deleted(pod("a", 40)),
      ];
      for (const event of events) {
        await sleep(clock, 1_000, signal);
        yield [event];
      }
      await sleep(clock, 60_000, signal);
    };
    const versions: string[] = [];
    for (let second = 0; second < 5; second++) {
      await clock.advance(second === 0 ? 0 : 1_000);
      versions.push(informer.resourceVersion);
    }
    expect(versions).toEqual(["1", "10", "20", "30", "40"]);
    await informer.close();
  });

  it("R33: a Table is an error in a list, and is skipped in a watch", async () => {
    const source = new ScriptedSource({
      lists: [{ items: [], version: 1, kind: "Table" }, list(2)],
      watches: [
        {
          batches: [
            [added({ kind: "Table", metadata: { resourceVersion: "3" } }), added(pod("a", 4))],
          ],
        },
      ],
    });
    const { informer, clock, errors, content } = observe(source);
    await clock.advance(2_000);
    expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([
      expect.stringContaining("expected a list of objects, but the server returned a Table"),
      "the watch of Pod skipped an event of type ADDED whose object has the kind Table",
    ]);
    expect(content()).toEqual(["a@4"]);
    await informer.close();
  });

  it("R35: close() ends a back-off at once", async () => {
    const source = new ScriptedSource({ lists: [failure(403, "Forbidden")] });
    const { informer, clock } = observe(source);
    await clock.advance(1);
    expect(informer.health.state).toBe("waiting");
    await informer.close();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["the first page", 0],
    ["a later page", 1],
  ])("R35: close() during %s of a list ends the request and sends no other", async (_, pages) => {
    const source = new ScriptedSource({
      lists: [{ items: [pod("a", 1)], version: 3, next: "C1" }],
    });
    const usual = source.listParts.bind(source);
    const aborted: unknown[] = [];
    source.listParts = (options) => {
      if (source.lists.length < pages) {
        return usual(options);
      }
      source.lists.push(options);
      return hanging(options.signal, (reason) => aborted.push(reason));
    };
    const { informer, clock, errors, content } = observe(source);
    await clock.advance(1_000);
    await informer.close();
    expect([source.lists.length, aborted.length, source.watches.length]).toEqual([pages + 1, 1, 0]);
    expect([errors, content(), clock.pending]).toEqual([[], [], 0]);
  });

  it("R35: close() ends the back-off of a streaming list at once", async () => {
    const source = new ScriptedSource({ watches: [failure(429, "TooManyRequests")] });
    const { informer, clock } = observe(source, { streamingList: true });
    await clock.advance(1);
    expect(informer.health.state).toBe("waiting");
    await informer.close();
    expect([clock.pending, source.watches.length]).toEqual([0, 1]);
  });

  it("N2: cuts and resumes a watch that stays silent after bookmarks were seen", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[bookmark(5)]] }],
    });
    const { informer, clock, errors } = observe(source);
    await clock.advance(74_000);
    expect(source.watches).toHaveLength(1);
    await clock.advance(3_000);
    expect(errors[0]?.code).toBe("DeadlineExceeded");
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "5"]);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });

  it("N2, WAT8: detects silence after the end bookmark of a snapshot, and then allows a longer one", async () => {
    const source = new ScriptedSource({
      watches: [{ batches: [[added(pod("a", 1)), bookmark(5, "true")]] }],
    });
    const { informer, clock, errors } = observe(source, { streamingList: true });
    await clock.advance(77_000);
    expect([source.watches.length, errors.length]).toEqual([2, 1]);
    await clock.advance(140_000);
    expect([source.watches.length, errors.length]).toEqual([2, 1]);
    await informer.close();
  });

  it("N2: silence counts from the start of the response, however long that took", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
    });
    const { informer, clock, errors } = observe(source);
    source.watchBatches = async function* (options, supervisor) {
      source.watches.push(options);
      if (source.watches.length === 1) {
        yield [bookmark(2)];
        throw new KubeError("ConnectionReset", "reset");
      }
      await sleep(clock, 60_000, options.signal);
      supervisor?.onResponse?.();
      await sleep(clock, 60_000, options.signal);
      yield [bookmark(3)];
      await sleep(clock, 60_000, options.signal);
    };
    await clock.advance(150_000);
    expect(errors.map(({ code }) => code)).toEqual(["ConnectionReset"]);
    expect([source.watches.length, informer.resourceVersion]).toEqual([2, "3"]);
    await informer.close();
  });

  it("N2, WAT8: allows each watch twice the silence of the last one until bookmarks arrive again", async () => {
    const source = new ScriptedSource({
      lists: [list(1), list(5), list(6)],
      watches: [{ batches: [[bookmark(5)]] }, {}, {}, { batches: [[bookmark(6)]] }, {}],
    });
    const { informer, clock } = observe(source, { backoff: { initialMs: 1, maxMs: 1, jitter: 0 } });
    const startedAt: number[] = [];
    const start = clock.now();
    const usual = source.watchBatches.bind(source);
    source.watchBatches = (options) => {
      startedAt.push(Math.round((clock.now() - start) / 1_000));
      return usual(options);
    };
    await clock.advance(1_000_000);
    // 75 s, 150 s, 300 s; the bookmark of the fourth watch resets the limit for the fifth.
    expect(startedAt.slice(0, 4)).toEqual([0, 75, 225, 525]);
    const [fourth = 0, fifth = 0, sixth = 0] = startedAt.slice(3);
    expect([fifth > fourth, sixth - fifth]).toEqual([true, 75]);
    await informer.close();
  });

  it("WAT8: leaves a silent watch without any bookmark alone until its own timeout", async () => {
    const source = new ScriptedSource({ lists: [list(1)], watches: [{}] });
    const { informer, clock } = observe(source);
    await clock.advance(299_000);
    expect(source.watches).toHaveLength(1);
    await clock.advance(60_000);
    expect(source.watches).toHaveLength(2);
    await informer.close();
  });

  it("WAT8: keeps a watch whose first event arrives after ten minutes of silence", async () => {
    const source = new ScriptedSource({ lists: [list(1)] });
    const { informer, clock, content, errors } = observe(source, { minWatchMs: 1_800_000 });
    source.watchBatches = async function* (options, supervisor) {
      source.watches.push(options);
      supervisor?.onResponse?.();
      await sleep(clock, 600_000, options.signal);
      yield [added(pod("a", 2))];
      await sleep(clock, 600_000, options.signal);
    };
    await clock.advance(601_000);
    expect([content(), source.watches.length, errors]).toEqual([["a@2"], 1, []]);
    await informer.close();
  });

  it("N8: reports an unreadable frame and resumes from the last good resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[added(pod("a", 2))]], outcome: new KubeError("Decode", "cut") }],
    });
    const { informer, clock, errors } = observe(source);
    await clock.advance(2_000);
    expect(errors.map((error) => error.code)).toEqual(["Decode"]);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "2"]);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });

  it("N8: relists after three consecutive unreadable frames", async () => {
    const cut = () => ({ outcome: new KubeError("Decode", "cut") });
    const source = new ScriptedSource({
      lists: [list(1), list(9)],
      watches: [cut(), cut(), cut()],
    });
    const { informer, clock } = observe(source);
    await clock.advance(30_000);
    expect(source.listVersions).toEqual(["0", "1"]);
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["1", "1", "1", "9"]);
    await informer.close();
  });
});
