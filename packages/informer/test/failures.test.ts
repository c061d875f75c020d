import type { KubeObject } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { type Clock, sleep, type WireWatchEvent } from "@typekube/core/internal";
import { Informer } from "@typekube/informer";
import { Backoff, defaultBackoff, SharedCache } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource, type WatchResponse } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

const internalError = errorEvent(status(500, "InternalError"));
const gone410: WatchResponse = { batches: [[errorEvent(status(410, "Expired"))]] };

describe("back-off", () => {
  const total = (backoff: Backoff, waits: number) =>
    Array.from({ length: waits }, () => backoff.next()).reduce((sum, ms) => sum + ms, 0);

  it("R14: flattens at the cap: 40 failures take 35 to 40 caps, up to twice that with jitter", () => {
    const clock = createVirtualClock();
    const options = { ...defaultBackoff, resetAfterMs: Number.POSITIVE_INFINITY };
    const plain = new Backoff({ ...options, jitter: 0 }, clock, () => 0.9);
    const caps = total(plain, 40) / defaultBackoff.maxMs;
    expect(caps).toBeGreaterThanOrEqual(35);
    expect(caps).toBeLessThanOrEqual(40);
    const most = total(new Backoff(options, clock, () => 1), 40);
    expect(most / defaultBackoff.maxMs).toBeLessThanOrEqual(80);
  });

  it("R14: 40 watches with connection refused take 35 to 40 caps, and one list", async () => {
    const refused = new KubeError("ConnectionRefused", "connection refused");
    const source = new ScriptedSource({ lists: [list(1)], watches: Array(40).fill(refused) });
    const { informer, clock } = observe(source, {
      backoff: { initialMs: 1, maxMs: 50, factor: 2, jitter: 1 },
    });
    await clock.advance(35 * 50);
    expect(source.watches).toHaveLength(40);
    await clock.advance(5 * 50);
    expect([source.watches.length, source.lists.length]).toEqual([41, 1]);
    await informer.close();
  });

  it("R15: 10 ms doubled up to 100 ms, without jitter: five waits take 250 to 300 ms", async () => {
    const refused = new KubeError("ConnectionRefused", "connection refused");
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: Array.from({ length: 5 }, () => refused),
    });
    const { informer, clock } = observe(source, {
      backoff: { initialMs: 10, maxMs: 100, factor: 2, jitter: 0 },
    });
    await clock.advance(249);
    expect(source.watches).toHaveLength(5);
    await clock.advance(51);
    expect(source.watches).toHaveLength(6);
    await informer.close();
  });

  it("N12: starts over only after two minutes without a failure, not with the first good byte", async () => {
    const clock = createVirtualClock();
    const backoff = new Backoff(defaultBackoff, clock, () => 0);
    expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([800, 1_600, 3_200]);
    await clock.advance(3_200 + 120_000);
    expect(backoff.next()).toBe(6_400);
    await clock.advance(6_400 + 120_001);
    expect(backoff.next()).toBe(800);
  });

  /** Returns the start times of watches in seconds, when each is cut after a while. */
  async function begins(
    cutAfterMs: number,
    cut: KubeError,
    eventsOf: (version: number) => readonly WireWatchEvent[],
    hasResponse = true,
  ): Promise<number[]> {
    const source = new ScriptedSource({ lists: Array.from({ length: 20 }, (_, i) => list(i + 1)) });
    const { informer, clock } = observe(source);
    const startedAt = clock.now();
    const seconds: number[] = [];
    source.watchBatches = async function* ({ signal }, supervisor) {
      seconds.push((clock.now() - startedAt) / 1_000);
      if (hasResponse) {
        supervisor?.onResponse?.();
        yield eventsOf(seconds.length + 1);
      }
      await sleep(clock, cutAfterMs, signal);
      throw cut;
    };
    await clock.advance(200_000);
    await informer.close();
    return seconds.slice(0, 8);
  }

  const reset = new KubeError("ConnectionReset", "the connection was cut");
  const news = (version: number) => [modified(pod("a", version))];
  const nothing = () => [];
  /** The first eight start times, at this interval. */
  const every = (seconds: number) => Array.from({ length: 8 }, (_, i) => i * seconds);

  it.each([
    ["an event", news],
    ["a bookmark", (version: number) => [bookmark(version)]],
    ["nothing because nothing happened", nothing],
  ])(
    "a watch that got a response, delivered %s and is cut after a while resumes at once, each time",
    async (_, events) => {
      for (const seconds of [1.5, 6, 20]) {
        expect(await begins(seconds * 1_000, reset, events)).toEqual(every(seconds));
      }
    },
  );

  it("a watch that is cut within a second resumes at once four times, if it delivered something", async () => {
    const begun = await begins(100, reset, news);
    expect(begun).toEqual([0, 0.1, 0.2, 0.3, 0.4, 1.3, 3, 6.3]);
  });

  it.each([
    ["reset at once without an event", 100, nothing, true],
    ["never answered", 8_000, nothing, false],
  ])("the delay grows over watches that are %s", async (_, cutAfterMs, events, hasResponse) => {
    const begun = await begins(cutAfterMs, reset, events, hasResponse);
    const waits = begun.slice(1).map((at, i) => at - (begun[i] ?? 0) - cutAfterMs / 1_000);
    // A list between two of them, for proxies that pass lists but not watches, adds no delay of its own.
    const expected = [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30].slice(0, waits.length);
    expect(waits.map((wait) => Number(wait.toFixed(3)))).toEqual(expected);
  });

  it("the delay grows over watches whose failure requires a list", async () => {
    const unknown = failure(500, "Unknown");
    const begun = await begins(8_000, unknown, news);
    expect(begun.slice(0, 5)).toEqual([0, 8.8, 18.4, 29.6, 44]);
  });

  it("a delay that grew during an outage ends with it: from then on a cut watch resumes at once", async () => {
    const { seconds, informer, clock } = outage({ downMs: 8_000, cutAfterMs: 20_000 });
    await clock.advance(120_000);
    await informer.close();
    // Cut at 20 s, down until 28 s: attempts after 0.8, 1.6, 3.2 and 6.4 s, then every 20 s.
    expect(seconds.slice(0, 6)).toEqual([0, 20, 20.8, 22.4, 25.6, 32]);
    expect(seconds.slice(6)).toEqual([52, 72, 92, 112]);
  });

  it("a server that is down gets no more requests than the back-off has steps", async () => {
    const hour = 3_600_000;
    const { seconds, source, informer, clock } = outage({ downMs: hour, cutAfterMs: 1_500 });
    await clock.advance(hour);
    await informer.close();
    // Six growing delays, then at most one request in 30 s.
    expect(seconds.length + source.lists.length).toBeLessThanOrEqual(6 + hour / 30_000 + 2);
    expect(seconds.length).toBeGreaterThan(100);
  });

  /** Creates a server whose first watch is cut, which is then down for a while, and whose later watches are all cut. */
  function outage({ downMs, cutAfterMs }: { downMs: number; cutAfterMs: number }) {
    const source = new ScriptedSource({ lists: [list(1)] });
    const { informer, clock } = observe(source);
    const startedAt = clock.now();
    const seconds: number[] = [];
    source.watchBatches = async function* ({ signal }, supervisor) {
      const at = clock.now() - startedAt;
      seconds.push(at / 1_000);
      if (at >= cutAfterMs && at < cutAfterMs + downMs) {
        throw new KubeError("ConnectionRefused", "connection refused");
      }
      supervisor?.onResponse?.();
      yield news(seconds.length + 1);
      await sleep(clock, cutAfterMs, signal);
      throw reset;
    };
    return { seconds, source, informer, clock };
  }
});

describe("watches that end normally soon after each event", () => {
  /** Creates a server of a busy resource whose watches last as long as the script says; the last duration repeats. */
  function endingAfter(...lastMs: number[]) {
    const source = new ScriptedSource({ lists: [list(1)] });
    const bench = observe(source);
    const { clock } = bench;
    const startedAt = clock.now();
    const seconds: number[] = [];
    source.watchBatches = async function* ({ signal }) {
      seconds.push((clock.now() - startedAt) / 1_000);
      yield [modified(pod("a", seconds.length + 1))];
      await sleep(clock, lastMs[seconds.length - 1] ?? lastMs.at(-1) ?? 0, signal);
    };
    return { ...bench, seconds };
  }

  it("back off from the fifth in a row on, longer each time, and report it once", async () => {
    const { informer, clock, seconds, errors, content } = endingAfter(100);
    await clock.advance(8_000);
    expect(seconds).toEqual([0, 0.1, 0.2, 0.3, 0.4, 1.3, 3, 6.3]);
    expect(content()).toEqual(["a@9"]);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["ConnectionClosed", expect.stringContaining("5 watches of pods in a row")],
    ]);
    expect(informer.health.restarts).toEqual({ Ended: 4, ConnectionClosed: 4 });
    await informer.close();
  });

  it("report it again, and don't back off at first, after a longer watch among them", async () => {
    const { informer, clock, seconds, errors } = endingAfter(...Array(6).fill(100), 1_000, 100);
    await clock.advance(11_000);
    expect(seconds).toEqual([0, 0.1, 0.2, 0.3, 0.4, 1.3, 3, 4, 4.1, 4.2, 4.3, 4.4, 5.3, 7, 10.3]);
    expect(errors).toHaveLength(2);
    await informer.close();
  });

  it.each([1_000, 5_000])("never back off when each lasts %d ms", async (lastMs) => {
    const { informer, clock, seconds, errors } = endingAfter(lastMs);
    await clock.advance(20 * lastMs - 1);
    expect(seconds).toEqual(Array.from({ length: 20 }, (_, i) => (i * lastMs) / 1_000));
    expect([errors, informer.health.stalledSince]).toEqual([[], undefined]);
    await informer.close();
  });
});

describe("InternalError (R18)", () => {
  /** Returns how often a watch that fails once a second is resumed before everything is listed. */
  async function retries(internalErrorWindowMs: number, gapAt?: number): Promise<number> {
    const source = new ScriptedSource({ lists: [list(1), list(2)] });
    const { informer, clock } = observe(source, {
      internalErrorWindowMs,
      backoff: { initialMs: 1_000, maxMs: 1_000, jitter: 0 },
    });
    let watches = 0;
    let watchesAtList = 0;
    source.watchBatches = async function* ({ signal }) {
      watches++;
      if (source.lists.length > 1) {
        watchesAtList ||= watches - 1;
        await sleep(clock, 1e9, signal);
      }
      if (watches === gapAt) {
        await sleep(clock, 60_000, signal);
      }
      yield [internalError];
    };
    await clock.advance(300_000);
    await informer.close();
    return watchesAtList - 1;
  }

  it("R18: relists at once without a window", async () => {
    expect(await retries(0)).toBe(0);
  });

  it("R18: makes 31 attempts at one a second in a window of 30 s", async () => {
    expect(await retries(30_000)).toBe(31);
  });

  it("R18: a minute without such an error opens a new window: 40 attempts with a pause at the tenth", async () => {
    expect(await retries(30_000, 10)).toBe(40);
  });
});

describe("the cost of a failure", () => {
  it("R36 [+]: 401 at the start of a watch keeps the resourceVersion: no list, the retry has fresh credentials", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [failure(401, "Unauthorized"), { batches: [[modified(pod("a", 2))]] }],
    });
    const { informer, clock, content, errors } = observe(source);
    await clock.advance(5_000);
    expect([source.lists.length, source.watches.length]).toEqual([1, 2]);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["1", "1"]);
    expect([content(), errors.map(({ code }) => code)]).toEqual([["a@2"], ["Unauthorized"]]);
    await informer.close();
  });

  it("N17: retries after an error from the credentials provider", async () => {
    const source = new ScriptedSource({ lists: [list(1), list(1)] });
    let calls = 0;
    const usual = source.watchBatches.bind(source);
    source.watchBatches = (options) => {
      if (calls++ === 0) {
        throw new TypeError("the exec plugin wrote no JSON");
      }
      return usual(options);
    };
    const { informer, clock, errors } = observe(source);
    await clock.advance(5_000);
    expect(errors.map(({ rawMessage }) => rawMessage)).toEqual(["the exec plugin wrote no JSON"]);
    expect(informer.health.state).toBe("watching");
    await informer.close();
  });

  it("R34: reports and retries a list function that throws", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const usual = source.listParts.bind(source);
    let calls = 0;
    source.listParts = (options) => {
      if (calls++ === 0) {
        throw new Error("not even an iterable");
      }
      return usual(options);
    };
    const { informer, clock, errors, content } = observe(source);
    await clock.advance(2_000);
    expect([content(), errors.length]).toEqual([["a@1"], 1]);
    await informer.close();
  });

  it("R31: StorageReadError relists: missing objects are deletions, the rest stays; the list's resourceVersion counts", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("bad", 1), pod("good", 1)), list(7, pod("good", 1))],
      watches: [{ batches: [[errorEvent(status(500, "StorageReadError"))]] }],
    });
    const { informer, clock, content } = observe(source);
    const log: string[] = [];
    informer.onChange({
      delete: ({ metadata }, { finalStateUnknown }) =>
        log.push(`${metadata.name} ${finalStateUnknown}`),
    });
    await clock.advance(2_000);
    expect([content(), log, informer.resourceVersion]).toEqual([["good@1"], ["bad true"], "7"]);
    await informer.close();
  });

  it("R19: a handler that throws during a resync ends nothing; each call reports one error", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, clock, errors } = observe(source);
    informer.onChange(
      {
        update: () => {
          throw new Error("no");
        },
      },
      { resyncMs: 2_000 },
    );
    await clock.advance(4_000);
    expect(errors).toHaveLength(2);
    expect(informer.health.state).toBe("watching");
    await informer.close();
  });

  it("I21: converges after a reset in the middle of a list or a streaming list; syncs once", async () => {
    for (const streamingList of [false, true]) {
      const reset = new KubeError("ConnectionReset", "reset");
      const source = new ScriptedSource({
        lists: [
          { items: [pod("a", 1)], version: 1, next: "C1" },
          reset,
          list(3, pod("a", 1), pod("b", 2)),
        ],
        watches: streamingList
          ? [
              { batches: [[added(pod("a", 1)), added(pod("gone", 1))]], outcome: reset },
              { batches: [[added(pod("a", 1)), added(pod("b", 2)), bookmark(3, "true")]] },
            ]
          : [],
      });
      const { informer, clock, content } = observe(source, { streamingList, pageSize: 1 });
      let synced = 0;
      void informer
        .onChange({ add: () => {} })
        .synced()
        .then(() => synced++);
      await clock.advance(5_000);
      expect([content(), synced]).toEqual([["a@1", "b@2"], 1]);
      await informer.close();
    }
  });
});

describe("a relist in pages", () => {
  it("RV12, RV27: requests NotOlderThan at a known resourceVersion, and the newest state once that expired", async () => {
    const source = new ScriptedSource({
      lists: [
        { items: [pod("a", 1)], version: 10, next: "C1" },
        { items: [pod("b", 1)], version: 10 },
        { items: [pod("a", 1)], version: 20, next: "C2" },
        { items: [pod("b", 1)], version: 20 },
        failure(410, "Expired"),
        { items: [pod("a", 1), pod("b", 1)], version: 30 },
      ],
      watches: [gone410, gone410],
    });
    const { informer, clock } = observe(source, { pageSize: 1 });
    await clock.advance(5_000);
    const requested = source.lists.map((one) =>
      [one.continue ?? one.resourceVersion, one.resourceVersionMatch].join(" "),
    );
    expect(requested).toEqual(["0 ", "C1 ", "10 NotOlderThan", "C2 ", "20 NotOlderThan", " "]);
    expect(informer.resourceVersion).toBe("30");
    await informer.close();
  });
});

describe("a wall clock that is set", () => {
  it.each([-86_400_000, 86_400_000])(
    "N2: by %i ms: a dead watch is still detected in time, a live one is left alone",
    async (jumpMs) => {
      const clock = createVirtualClock();
      let offset = 0;
      const set: Clock = {
        now: () => clock.now() + offset,
        monotonic: () => clock.now(),
        schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
      };
      const source = new ScriptedSource({ lists: [list(1)] });
      let watches = 0;
      let liveMs = 0;
      source.watchBatches = async function* ({ signal }) {
        watches++;
        for (let version = 2; watches === 1 && liveMs < 300_000; version++) {
          await sleep(clock, 60_000, signal);
          liveMs += 60_000;
          yield [bookmark(version)];
        }
        await sleep(clock, 1e9, signal);
      };
      const cache = new SharedCache<KubeObject>(
        source,
        { streamingList: false, random: () => 1 },
        set,
      );
      const informer = new Informer(cache);
      await clock.advance(150_000);
      offset = jumpMs;
      await clock.advance(150_000);
      expect([watches, liveMs]).toEqual([1, 300_000]);
      offset = 0;
      await clock.advance(30_000);
      offset = jumpMs;
      await clock.advance(75_000 + 2_000);
      expect(watches).toBe(2);
      await informer.close();
    },
  );
});

describe("two API servers, one of which lags", () => {
  it("RV21, RV23: rejects a list older than the known resourceVersion, and accepts the fresh one", async () => {
    const source = new ScriptedSource({
      lists: [
        list(100, pod("a", 90), pod("b", 100)),
        list(95, pod("a", 90), pod("deleted at 96", 50)),
        list(110, pod("a", 105), pod("b", 100)),
      ],
      watches: [gone410],
    });
    const { informer, clock, errors, content } = observe(source);
    const versions: number[] = [];
    informer.onChange({
      add: ({ metadata }) => versions.push(Number(metadata.resourceVersion)),
      update: ({ metadata }) => versions.push(Number(metadata.resourceVersion)),
    });
    await clock.advance(10_000);
    expect(errors.map(({ code }) => code)).toEqual(["Expired", "Timeout"]);
    expect(content()).toEqual(["a@105", "b@100"]);
    expect(versions).toEqual([90, 100, 105]);
    await informer.close();
  });

  it("RV21: rejects a streaming list older than the known resourceVersion", async () => {
    const source = new ScriptedSource({
      lists: [list(110, pod("a", 105))],
      watches: [
        { batches: [[added(pod("a", 90)), bookmark(100, "true")], gone410.batches?.[0] ?? []] },
        { batches: [[added(pod("a", 80)), bookmark(95, "true")]] },
      ],
    });
    const { informer, clock, content } = observe(source, { streamingList: true });
    await clock.advance(1_000);
    expect(content()).toEqual(["a@105"]);
    await informer.close();
  });

  it("believes a server that was restored from a backup after four older lists", async () => {
    const old = list(50, pod("a", 40));
    const source = new ScriptedSource({
      lists: [list(100, pod("a", 90)), old, old, old, old],
      watches: [gone410],
    });
    const { informer, clock, content } = observe(source);
    await clock.advance(5_000);
    expect(content()).toEqual(["a@90"]);
    await clock.advance(60_000);
    expect([content(), informer.resourceVersion]).toEqual([["a@40"], "50"]);
    await informer.close();
  });

  it("an older event does not bring back a deleted object", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: [[deleted(pod("a", 8)), modified(pod("a", 7)), added(pod("a", 9))]] }],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const note = (what: string) => (object: KubeObject) =>
      log.push(`${what} ${object.metadata?.resourceVersion}`);
    informer.onChange({ add: note("add"), delete: note("delete"), update: note("update") });
    await settle();
    expect(log).toEqual(["add 1", "delete 8", "add 9"]);
    await informer.close();
  });
});

describe("changes of a snapshot that replaces another", () => {
  it.each<[string, string[], string[]]>([
    ["b' and c", ["b", "c"], ["update b", "add c"]],
    ["c and b'", ["c", "b"], ["add c", "update b"]],
  ])(
    "Q17, Q18: %s after a and b: swaps the cache first, then deletes a, then delivers the rest in list order",
    async (_, order, then) => {
      const now = { b: pod("b", 7), c: pod("c", 8) } as Record<string, KubeObject>;
      const relist = order.map((name) => now[name] as KubeObject);
      const source = new ScriptedSource({
        lists: [list(1, pod("a", 1), pod("b", 1)), list(9, ...relist)],
        watches: [gone410],
      });
      const { informer, settle, content } = observe(source);
      const log: string[] = [];
      const note = (what: string) => (object: KubeObject, previous?: unknown) => {
        const from = what === "update" ? (previous as KubeObject).metadata?.resourceVersion : "";
        log.push(`${what} ${object.metadata?.name}${from}: ${content().join(" ")}`);
      };
      informer.onChange({ update: note("update"), delete: note("delete"), add: note("add") });
      await settle();
      const after = "b@7 c@8";
      expect(log.slice(2)).toEqual(
        ["delete a", ...then].map(
          (what) => `${what === "update b" ? "update b1" : what}: ${after}`,
        ),
      );
      await informer.close();
    },
  );

  it("Q2, Q3, Q4: slow and fast handlers get the same: adds before their deletes, deletes before new adds, none twice", async () => {
    const source = new ScriptedSource({
      lists: [
        list(1, pod("first", 1), pod("a", 1), pod("b", 1), pod("still", 1)),
        list(9, pod("c", 8), pod("first", 7)),
      ],
      watches: [
        {
          batches: [
            [modified(pod("a", 2)), deleted(pod("b", 3))],
            [errorEvent(status(410, "Expired"))],
          ],
        },
      ],
    });
    const { informer, settle } = observe(source);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    /** Adds a handler whose calls wait for `held`, if given, and returns a log of its calls. */
    function listen(held: Promise<void> | undefined): string[] {
      const log: string[] = [];
      const note = (what: string, { metadata }: KubeObject, flag?: boolean) => {
        const flagged = flag === undefined ? "" : ` ${flag}`;
        log.push(`${what} ${metadata?.name}@${metadata?.resourceVersion}${flagged}`);
        return held;
      };
      informer.onChange({
        add: (object, { initial }) => note("add", object, initial),
        update: (object) => note("update", object),
        delete: (object, { finalStateUnknown }) => note("delete", object, finalStateUnknown),
      });
      return log;
    }
    const slow = listen(opened);
    const fast = listen(undefined);
    await settle();
    expect([informer.list().length, slow]).toEqual([2, ["add first@1 true"]]);
    open();
    await settle();
    const expected = [
      ...["first", "a", "b", "still"].map((name) => `add ${name}@1 true`),
      ...["update a@2", "delete b@3 false"],
      ...["delete a@2 true", "delete still@1 true", "add c@8 false", "update first@7"],
    ];
    expect([slow, fast]).toEqual([expected, expected]);
    await informer.close();
  });

  it("Q7, Q19: bookmarks and deletions of unknown objects move the resourceVersion and call no handler", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: [[deleted(pod("never", 5)), bookmark(8)]] }],
    });
    const { informer, settle } = observe(source);
    let calls = 0;
    const count = () => calls++;
    informer.onChange({ add: count, update: count, delete: count });
    await settle();
    expect([calls, informer.resourceVersion]).toEqual([0, "8"]);
    await informer.close();
  });

  it("Q9: a resync never overwrites a racing update with the older state", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: Array.from({ length: 100 }, (_, i) => [modified(pod("a", i + 2))]) }],
    });
    const { informer, settle } = observe(source);
    const versions: number[] = [];
    const handle = informer.onChange({
      update: async ({ metadata }) => {
        versions.push(Number(metadata.resourceVersion));
        await undefined;
      },
    });
    for (let i = 0; i < 10; i++) {
      handle.resync();
      await settle();
    }
    await informer.close();
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(101);
  });
});
