import { KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource, type WatchResponse } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

const reset = new KubeError("ConnectionReset", "reset");

/** Returns a log of all calls of a handler, as `verb name version`. */
function record(informer: ReturnType<typeof observe>["informer"]): string[] {
  const log: string[] = [];
  const note =
    (verb: string) =>
    ({ metadata }: { metadata: { name: string; resourceVersion: string } }) => {
      log.push(`${verb} ${metadata.name} ${metadata.resourceVersion}`);
    };
  informer.onChange({ add: note("add"), update: note("update"), delete: note("delete") });
  return log;
}

describe("resuming a watch", () => {
  it.each<[string, WatchResponse["batches"]]>([
    ["an event", [[added(pod("a", 20))], [modified(pod("a", 30))]]],
    ["a bookmark", [[added(pod("a", 20))], [bookmark(30)]]],
  ])(
    "WAT4: cut after %s at 30, the next request resumes at 30, without a list",
    async (_, batches = []) => {
      const source = new ScriptedSource({
        lists: [list(10)],
        watches: [{ batches, outcome: reset }, {}],
      });
      const { informer, clock } = observe(source);
      await clock.advance(5_000);
      expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["10", "30"]);
      expect(source.lists).toHaveLength(1);
      await informer.close();
    },
  );

  it.each<[string, WatchResponse | KubeError]>([
    ["the status of the response", failure(410, "Expired")],
    ["an ERROR event with the code", { batches: [[errorEvent(status(410, "Whatever"))]] }],
    ["an ERROR event with the reason Gone", { batches: [[errorEvent(status(0, "Gone"))]] }],
    ["an ERROR event with the reason Expired", { batches: [[errorEvent(status(0, "Expired"))]] }],
  ])(
    "WAT5, N9: a 410 by %s causes one list; handlers get only the differences, the cache stays readable",
    async (_, gone) => {
      const source = new ScriptedSource({
        lists: [
          list(10, pod("same", 1), pod("changed", 2), pod("gone", 3)),
          list(50, pod("same", 1), pod("changed", 40), pod("new", 45)),
        ],
        watches: [gone],
      });
      const sizes: number[] = [];
      const { informer, clock } = observe(source, {
        onState: () => sizes.push(informer?.health.objects ?? 0),
      });
      const log = record(informer);
      await clock.advance(5_000);
      expect(source.listVersions).toEqual(["0", "10"]);
      expect(source.watches.at(-1)?.resourceVersion).toBe("50");
      expect(log.slice(3)).toEqual(["delete gone 3", "update changed 40", "add new 45"]);
      expect(sizes.slice(2)).not.toContain(0);
      await informer.close();
    },
  );

  it("WAT7: a bookmark without a spec moves the resourceVersion and calls no handler", async () => {
    const source = new ScriptedSource({
      lists: [list(10, pod("a", 1))],
      watches: [{ batches: [[bookmark(90)]], outcome: reset }],
    });
    const { informer, clock, errors } = observe(source);
    const log = record(informer);
    await clock.advance(5_000);
    expect([log, informer.resourceVersion]).toEqual([["add a 1"], "90"]);
    expect(source.watches.at(-1)?.resourceVersion).toBe("90");
    expect(errors).toEqual([reset]);
    await informer.close();
  });

  it("WAT14: initial events in any order don't move the resourceVersion; their end bookmark does", async () => {
    const initial = [added(pod("foo", 8467)), added(pod("bar", 5726))];
    const cut = new ScriptedSource({ watches: [{ batches: [initial], outcome: reset }, {}] });
    const first = observe(cut, { streamingList: true });
    await first.clock.advance(5_000);
    expect(first.informer.resourceVersion).toBe("");
    // Cut before the bookmark, the streaming list starts over instead of resuming from an object's resourceVersion.
    expect(cut.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
      undefined,
      undefined,
    ]);
    await first.informer.close();

    const whole = new ScriptedSource({
      watches: [{ batches: [initial, [bookmark(10245, "true")]] }],
    });
    const second = observe(whole, { streamingList: true });
    await second.settle();
    expect(second.informer.resourceVersion).toBe("10245");
    await second.informer.close();
  });

  it("WAT16: lists and watches when a server ignores sendInitialEvents (no end bookmark, only new events)", async () => {
    const source = new ScriptedSource({
      lists: [list(7, pod("a", 1), pod("b", 7))],
      watches: [{ batches: [[added(pod("b", 7))]] }, { batches: [[added(pod("c", 8))]] }],
    });
    const { informer, clock, content } = observe(source, { streamingList: true });
    await clock.advance(15_000);
    expect(content()).toEqual(["a@1", "b@7", "c@8"]);
    expect(source.watches.map(({ sendInitialEvents }) => sendInitialEvents)).toEqual([
      true,
      undefined,
    ]);
    await informer.close();
  });

  it("WAT17, RV33: reports a resourceVersion from another cluster (504 as an ERROR event), and relists without it", async () => {
    const tooLarge = errorEvent(
      status(504, "Timeout", "Timeout: Too large resource version: 900, current: 7"),
    );
    const source = new ScriptedSource({
      watches: [
        { batches: [[bookmark(900, "true")], [errorEvent(status(410, "Expired"))]] },
        { batches: [[tooLarge]] },
        { batches: [[added(pod("a", 5)), bookmark(901, "true")]] },
      ],
    });
    const { informer, clock, content, errors } = observe(source, { streamingList: true });
    await clock.advance(5_000);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
      undefined,
      "900",
      undefined,
    ]);
    expect(errors.map(({ code }) => code)).toEqual(["Expired", "Timeout"]);
    expect(content()).toEqual(["a@5"]);
    await informer.close();
  });
});

describe("a server that was restored into one that counts differently", () => {
  const noVersion = (code: number, reason: string) =>
    failure(code, reason, 'invalid resource version: Invalid value: "a1b2"');

  it("RV34: lists the newest state, once, after a list at an invalid resourceVersion (400)", async () => {
    const source = new ScriptedSource({
      lists: [list("a1b2", pod("a", "a1b0")), noVersion(400, "BadRequest"), list(9, pod("a", 9))],
      watches: [noVersion(500, "InternalError")],
    });
    const { informer, clock, content, errors } = observe(source);
    await clock.advance(2_000);
    expect(source.listVersions).toEqual(["0", "a1b2", ""]);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["a1b2", "9"]);
    expect([content(), informer.health.state]).toEqual([["a@9"], "watching"]);
    expect(errors.map(({ code }) => code)).toEqual(["InternalError", "BadRequest"]);
    await informer.close();
  });

  it("RV34: streams the newest state likewise, and keeps using streaming lists", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[added(pod("a", "a1b0")), bookmark("a1b2", "true")]], outcome: "end" },
        noVersion(400, "BadRequest"),
        noVersion(400, "BadRequest"),
        { batches: [[added(pod("a", 9)), bookmark(9, "true")]] },
      ],
    });
    const { informer, clock, content } = observe(source, { streamingList: true });
    await clock.advance(2_000);
    expect(
      source.watches.map((one) => [one.sendInitialEvents ?? false, one.resourceVersion]),
    ).toEqual([
      [true, undefined],
      [false, "a1b2"],
      [true, "a1b2"],
      [true, undefined],
    ]);
    expect([content(), source.lists]).toEqual([["a@9"], []]);
    await informer.close();
  });

  it("RV34: backs off when the list of the newest state is rejected too", async () => {
    const refused = noVersion(400, "BadRequest");
    const source = new ScriptedSource({
      lists: [list("a1b2"), refused, refused, refused, list(9, pod("a", 9))],
      watches: [failure(410, "Expired")],
    });
    const { informer, clock, content, settle } = observe(source);
    await settle();
    expect([source.listVersions, informer.health.state]).toEqual([["0", "a1b2", ""], "waiting"]);
    await clock.advance(800);
    expect([source.listVersions.slice(3), content()]).toEqual([["a1b2", ""], ["a@9"]]);
    await informer.close();
  });
});

describe("resourceVersions in requests", () => {
  it("RV1: a resourceVersion of forty digits is sent back unchanged, and has an order", async () => {
    const version = "1234567890123456789012345678901234567890";
    const next = "1234567890123456789012345678901234567891";
    const source = new ScriptedSource({
      lists: [list(version, pod("a", version))],
      watches: [
        { batches: [[modified(pod("a", next)), modified(pod("a", version))]], outcome: reset },
      ],
    });
    const { informer, clock } = observe(source);
    await clock.advance(5_000);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([version, next]);
    expect(informer.get("default/a")?.metadata.resourceVersion).toBe(next);
    await informer.close();
  });

  it("RV7: watches a list of old items from the list's resourceVersion, not from an item's", async () => {
    const source = new ScriptedSource({ lists: [list(50, pod("a", 3), pod("b", 4))] });
    const { informer, settle } = observe(source);
    await settle();
    expect(source.watches[0]?.resourceVersion).toBe("50");
    expect(informer.resourceVersion).toBe("50");
    await informer.close();
  });

  it("RV6, OLD1: lists, events, relists and deletions work with resourceVersions that have no order", async () => {
    const source = new ScriptedSource({
      lists: [
        list("a1f", pod("a", "x1"), pod("b", "x2")),
        list("c3d", pod("b", "x9"), pod("c", "x5")),
      ],
      watches: [
        {
          batches: [[modified(pod("a", "w7")), deleted(pod("b", "b2e"))], [added(pod("b", "x9"))]],
          outcome: failure(410, "Expired"),
        },
      ],
    });
    const { informer, clock, content } = observe(source);
    const log = record(informer);
    await clock.advance(5_000);
    expect(content()).toEqual(["b@x9", "c@x5"]);
    expect(log).toEqual([
      "add a x1",
      "add b x2",
      "update a w7",
      "delete b b2e",
      "add b x9",
      "delete a w7",
      "add c x5",
    ]);
    expect(source.listVersions).toEqual(["0", "x9"]);
    expect(source.watches.at(-1)?.resourceVersion).toBe("c3d");
    await informer.close();
  });

  it("RV20: a relist requests the known resourceVersion or newer, which watch caches serve", async () => {
    const source = new ScriptedSource({
      lists: [list(10), list(20)],
      watches: [failure(410, "Expired")],
    });
    const { informer, settle } = observe(source);
    await settle();
    // Without a limit, a resourceVersion alone means: not older than it.
    expect(source.lists[1]?.resourceVersion).toBe("10");
    expect(source.lists[1]?.limit).toBeUndefined();
    expect(source.lists[1]?.resourceVersionMatch).toBeUndefined();
    await informer.close();
  });

  it("RV28, RV30: no watch ever starts at 0 or without a resourceVersion, and no list requests an exact one", async () => {
    const failures = [
      failure(410, "Expired"),
      failure(504, "Timeout", "Timeout: Too large resource version: 20, current: 10"),
      failure(500, "InternalError"),
      failure(429, "TooManyRequests"),
      failure(401, "Unauthorized"),
      reset,
    ];
    for (const streamingList of [false, true]) {
      for (const first of failures) {
        for (const second of failures) {
          const source = new ScriptedSource({
            lists: [list(10), second, list(12), list(13)],
            watches: [first, { batches: [[bookmark(11, "true")]], outcome: second }, second],
          });
          const { informer, clock } = observe(source, { streamingList });
          await clock.advance(30_000);
          const plain = source.watches.filter(({ sendInitialEvents }) => !sendInitialEvents);
          expect(plain.map(({ resourceVersion }) => Number(resourceVersion) > 0)).not.toContain(
            false,
          );
          const matches = source.lists.map(({ resourceVersionMatch }) => resourceVersionMatch);
          expect(matches).not.toContain("Exact");
          await informer.close();
        }
      }
    }
  });

  it.each([undefined, ""])("CHK3: a token that is %j ends the pages", async (next) => {
    const source = new ScriptedSource({
      lists: [{ items: [pod("a", 1)], version: 3, ...(next === undefined ? {} : { next }) }],
    });
    const { informer, settle, errors } = observe(source);
    await settle();
    expect([source.lists.length, informer.health.state, errors]).toEqual([1, "watching", []]);
    await informer.close();
  });
});
