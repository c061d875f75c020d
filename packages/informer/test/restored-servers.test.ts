import type { KubeObject, Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { sleep, type WireWatchEvent } from "@typekube/core/internal";
import { coalesce } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, failure, modified } from "./wire-events.js";

const tooLarge = failure(504, "Timeout", "Timeout: Too large resource version: 900, current: 50");

it("WAT17: detects a restored server that is silent on a resourceVersion it has not reached, and believes it", async () => {
  const before = [pod("a", 800), pod("b", 850)];
  const restored = [tooLarge, list(50, pod("a", 40))];
  const source = new ScriptedSource({
    lists: [list(900, ...before), ...restored, ...restored, ...restored, ...restored],
    watches: [{ batches: [[bookmark(900)]] }, {}, { batches: [[added(pod("c", 51))]] }],
  });
  const { informer, clock, content } = observe(source);
  await clock.advance(60_000);
  expect(content()).toEqual(["a@800", "b@850"]);
  await clock.advance(5 * 60_000);
  expect(content()).toEqual(["a@40", "c@51"]);
  expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
    "900",
    "900",
    "50",
  ]);
  expect(informer.health).toMatchObject({ state: "watching", stalledSince: undefined });
  await informer.close();
});

it("WAT17: does not list at a resourceVersion that a streaming list was rejected for: that takes a server seconds", async () => {
  const older = { batches: [[added(pod("a", 40)), bookmark(50, "true")]] };
  const source = new ScriptedSource({
    lists: [list(50, pod("a", 40)), list(50, pod("a", 40))],
    watches: [
      {
        batches: [[added(pod("a", 800)), bookmark(900, "true")]],
        outcome: failure(500, "Unknown"),
      },
      tooLarge,
      older,
      older,
    ],
  });
  const { informer, clock, content } = observe(source, { streamingList: true });
  await clock.advance(30_000);
  expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
    undefined,
    "900",
    undefined,
    undefined,
    "50",
  ]);
  expect(source.listVersions).toEqual(["", ""]);
  expect(content()).toEqual(["a@40"]);
  await informer.close();
});

describe("resourceVersions that a server uses again after a restore from backup", () => {
  const written = (value: string, version: number) =>
    ({ ...pod("a", version), spec: { nodeName: value } }) as KubeObject;
  const restored = [tooLarge, list(107, written("after", 105), pod("b", 90))];
  const setBack = () =>
    new ScriptedSource({
      lists: [list(110, written("before", 105), pod("b", 90)), ...Array(4).fill(restored).flat()],
      watches: [{ outcome: failure(500, "Unknown") }],
    });

  it("denote other states: the cache shows the current ones, and handlers get only the differences", async () => {
    const nodeOf = (object: KubeObject) => (object as Pod).spec?.nodeName ?? "";
    const { informer, clock, content } = observe(setBack(), {
      indexes: { node: (object) => [nodeOf(object)] },
    });
    const received: string[] = [];
    informer.onChange({
      add: ({ metadata }) => received.push(`add ${metadata.name}`),
      update: (object, previous) => received.push(`${nodeOf(previous)} -> ${nodeOf(object)}`),
    });
    await clock.advance(0);
    const b = informer.get("default/b");
    await clock.advance(60_000);
    expect(content()).toEqual(["a@105", "b@90"]);
    expect(informer.by["node"]?.("after")).toHaveLength(1);
    expect(received).toEqual(["add a", "add b", "before -> after"]);
    expect(informer.get("default/b")).toBe(b);
    await informer.close();
  });

  it("are delivered to a reader that missed the state in between", () => {
    const before = written("before", 105) as Live<KubeObject>;
    const between = written("between", 108) as Live<KubeObject>;
    const after = written("after", 105) as Live<KubeObject>;
    const key = "default/a";
    const received = coalesce(
      { type: "update", key, object: between, previous: before },
      { type: "update", key, object: after, previous: between },
    );
    expect(received).toEqual({ type: "update", key, object: after, previous: before });
  });
});

it("a single silent watch is only resumed: the connection may be dead, or bookmarks late", async () => {
  const source = new ScriptedSource({
    lists: [list(900, pod("a", 800))],
    watches: [{ batches: [[bookmark(900)]] }, { batches: [[bookmark(900)]] }, {}],
  });
  const { informer, clock } = observe(source);
  await clock.advance(4 * 60_000);
  expect([source.lists.length, source.watches.length]).toEqual([1, 3]);
  await informer.close();
});

it("WAT17: detects a restored server that does not respond to a watch with the fifth unanswered watch", async () => {
  const withoutResponse = new KubeError("DeadlineExceeded", "no response headers within 75000 ms");
  const older = list(50, pod("a", 40));
  const source = new ScriptedSource({
    lists: [list(900, pod("a", 800)), ...Array(4).fill([tooLarge, older]).flat()],
    watches: Array(5).fill(withoutResponse),
  });
  const { informer, clock, content, errors } = observe(source);
  await clock.advance(13_000);
  expect([errors.length, source.lists.length]).toEqual([5, 1]);
  await clock.advance(5 * 60_000);
  expect(content()).toEqual(["a@40"]);
  expect(source.watches.at(-1)?.resourceVersion).toBe("50");
  await informer.close();
});

it("a server too busy to respond to watches gets no lists instead", async () => {
  const late = new KubeError("DeadlineExceeded", "no response within 60000 ms");
  const source = new ScriptedSource({
    lists: [list(900, pod("a", 800))],
    watches: [{ batches: [[bookmark(900)]], outcome: late }, late, late, late, {}],
  });
  const { informer, clock } = observe(source);
  await clock.advance(60_000);
  expect([source.lists.length, source.watches.length]).toEqual([1, 5]);
  await informer.close();
});

it("a server that stops sending bookmarks is relisted at most once in ten minutes", async () => {
  const source = new ScriptedSource({
    lists: Array.from({ length: 100 }, () => list(900, pod("a", 800))),
    watches: [{ batches: [[bookmark(900)]] }],
  });
  const { informer, clock } = observe(source);
  await clock.advance(60 * 60_000);
  expect(source.lists.length).toBeLessThan(8);
  await informer.close();
});

describe("events older than the known resourceVersion", () => {
  const everyMs = 10_000;

  /** Creates a server whose watches send something every ten seconds, depending on the time that has passed. */
  function telling(at: (seconds: number) => readonly WireWatchEvent[], lists = [list(800)]) {
    const source = new ScriptedSource({ lists });
    const bench = observe(source);
    const { clock } = bench;
    const startedAt = clock.now();
    source.watchBatches = async function* (options) {
      source.watches.push(options);
      const endsAt = clock.now() + (options.timeoutSeconds ?? 0) * 1_000;
      while (clock.now() < endsAt) {
        yield at(Math.floor((clock.now() - startedAt) / 1_000));
        await sleep(clock, everyMs, options.signal);
      }
    };
    return { source, ...bench };
  }

  const setBack = (seconds: number) => {
    const version = 444 + Math.floor(seconds / 10);
    return seconds === 0 ? [bookmark(800)] : [modified(pod("a", version)), bookmark(version)];
  };

  it("neither make the cache more recent nor end an outage", async () => {
    const { source, informer, clock } = telling(setBack, [list(800, pod("a", 700))]);
    await clock.advance(60_000);
    expect(informer.health).toMatchObject({
      lagMs: 60_000,
      staleEvents: 6,
      lastContact: clock.now(),
    });
    await clock.advance(40_000);
    expect(source.watches).toHaveLength(2);
    const { stalledSince, lagMs, lastError } = informer.health;
    expect([lagMs, clock.now() - (stalledSince ?? 0)]).toEqual([100_000, 25_000]);
    expect(lastError?.message).toContain("no event and no bookmark in the watch of pods");
    await informer.close();
  });

  it("lead to a new snapshot, as silence does, which is believed after a while", async () => {
    const restored = [tooLarge, list(464, pod("a", 444))];
    const { source, informer, clock, content } = telling(setBack, [
      list(800, pod("a", 700)),
      ...Array(4).fill(restored).flat(),
    ]);
    await clock.advance(200_000);
    expect([source.lists.length, content()]).toEqual([1, ["a@700"]]);
    await clock.advance(100_000);
    expect(content()).toEqual([expect.stringMatching(/^a@47/)]);
    expect(informer.health).toMatchObject({ state: "watching", stalledSince: undefined });
    expect(informer.health.lagMs).toBeLessThan(everyMs);
    await informer.close();
  });

  it.each([
    [60, 1],
    [200, 2],
  ])(
    "a server that lags for %d s and catches up costs %d watches and no list",
    async (seconds, watches) => {
      const { source, informer, clock, content } = telling((now) =>
        now === 0 || now >= seconds
          ? [added(pod("new", 801 + now)), bookmark(801 + now)]
          : [added(pod("old", 500 + now)), bookmark(500 + now)],
      );
      await clock.advance(290_000);
      expect([source.lists.length, source.watches.length]).toEqual([1, watches]);
      expect(content()).toContainEqual(expect.stringMatching(/^new@10[89]/));
      expect(informer.health.stalledSince).toBeUndefined();
      expect(informer.health.lagMs).toBeLessThan(everyMs);
      await informer.close();
    },
  );

  it("a server that lags now and then is never relisted: new events in between end the silence", async () => {
    const { source, informer, clock } = telling((now) => [
      bookmark(now % 200 < 100 ? 801 + now : 500),
    ]);
    await clock.advance(3_600_000);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });

  it("don't make up for unreadable frames", async () => {
    const broken = {
      batches: [[bookmark(700)]],
      outcome: new KubeError("Decode", "cannot be read"),
    };
    const source = new ScriptedSource({
      lists: [list(800), list(900)],
      watches: [broken, broken, broken],
    });
    const { informer, clock } = observe(source);
    await clock.advance(30_000);
    expect(source.lists).toHaveLength(2);
    await informer.close();
  });
});
