import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import type { Change, HandlerHandle } from "@typekube/informer";
import { describe, expect, it } from "vitest";
import { observe } from "../follow-helper.js";
import { list, pod, ScriptedSource, type WatchResponse } from "../scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "../wire-events.js";

const name = (object: KubeObject) => object.metadata?.name ?? "";

/** Creates a gate that a handler waits at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a slow handler", () => {
  it("N14: misses intermediate states, never the last one; other handlers miss nothing", async () => {
    const events = Array.from({ length: 5_000 }, (_, i) => modified(pod("a", i + 2)));
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: events.map((event) => [event]) }],
    });
    const { informer, settle } = observe(source);
    const { open, opened } = gate();
    const slow: string[] = [];
    let fast = 0;
    const handle = informer.onChange(
      {
        add: () => opened,
        update: (object, previous) => {
          slow.push(`${previous.metadata.resourceVersion}->${object.metadata.resourceVersion}`);
        },
      },
      { maxQueued: 10 },
    );
    informer.onChange({ update: () => fast++ });
    for (let i = 0; i < 20; i++) {
      await settle();
    }
    expect(informer.resourceVersion).toBe("5001");
    expect(handle.queued).toBeLessThanOrEqual(10);
    expect(informer.health.queued).toBe(handle.queued);
    expect(fast).toBe(5_000);
    open();
    await settle();
    expect(slow.length).toBeLessThanOrEqual(10);
    expect(slow[0]?.startsWith("1->")).toBe(true);
    expect(slow.at(-1)?.endsWith("->5001")).toBe(true);
    await informer.close();
  });

  it("Q20: never blocks updates of the cache", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [{ batches: Array.from({ length: 3_000 }, (_, i) => [added(pod(`p${i}`, i + 2))]) }],
    });
    const { informer, settle } = observe(source);
    informer.onChange({ add: () => new Promise(() => {}) });
    for (let i = 0; i < 10; i++) {
      await settle();
    }
    expect(informer.health.objects).toBe(3_000);
  });

  it("I18: gets no queued events once removed; removal waits for the call in progress", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
    const { informer, settle } = observe(source);
    const { open, opened } = gate();
    const log: string[] = [];
    const handle = informer.onChange({
      add: async (object) => {
        log.push(`start ${name(object)}`);
        await opened;
        log.push(`end ${name(object)}`);
      },
    });
    await settle();
    let removed = false;
    const removing = handle.remove().then(() => {
      removed = true;
    });
    await settle();
    expect([removed, log]).toEqual([false, ["start a"]]);
    open();
    await removing;
    await settle();
    expect(log).toEqual(["start a", "end a"]);
    expect(handle.queued).toBe(0);
    await informer.close();
  });
});

describe("resync", () => {
  it("R3, Q8: on demand, delivers every object once, except those with a queued change", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [{ batches: [[modified(pod("a", 2))]] }],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const { open, opened } = gate();
    let first = true;
    const handle = informer.onChange({
      add: async () => {
        if (first) {
          first = false;
          await opened;
        }
      },
      update: (object, previous) => {
        log.push(
          `${name(object)} ${previous.metadata.resourceVersion}->${object.metadata.resourceVersion}`,
        );
      },
    });
    await settle();
    handle.resync();
    open();
    await settle();
    // b's add and a's update were queued, so the resync skipped both.
    expect(log).toEqual(["a 1->2"]);
    informer.resync();
    await settle();
    expect(log).toEqual(["a 1->2", "a 2->2", "b 1->1"]);
    await informer.close();
  });

  it("I2, I3, I4: each handler has its own period, later ones too; the others are not called", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
    const { informer, clock } = observe(source);
    const listen = (resyncMs: number) => {
      const log: string[] = [];
      informer.onChange({ update: (object) => log.push(name(object)) }, { resyncMs });
      return log;
    };
    const logs = [0, 2_000, 5_000, 55_000, 60_000, 12 * 3_600_000].map(listen);
    const counts = () => logs.map((log) => log.length / 2);
    await clock.advance(1_999);
    expect(counts()).toEqual([0, 0, 0, 0, 0, 0]);
    await clock.advance(1);
    expect(logs.slice(0, 3)).toEqual([[], ["a", "b"], []]);
    await clock.advance(58_000);
    expect(counts()).toEqual([0, 30, 12, 1, 1, 0]);
    const late = [1, 500].map(listen);
    await clock.advance(1_000);
    expect(late.map((log) => log.length / 2)).toEqual([1_000, 2]);
    expect(counts()).toEqual([0, 30, 12, 1, 1, 0]);
    expect(() => informer.onChange({}, { resyncMs: -1 })).toThrow(
      expect.objectContaining({ code: "InvalidArgument" }),
    );
    await informer.close();
    expect(clock.pending).toBe(0);
  });

  it("I6: after a loss of history, a handler with a period gets all objects at its end, others only the changes", async () => {
    const source = new ScriptedSource({
      lists: [
        list(1, pod("p1", 1), pod("p2", 1)),
        list(9, pod("p1", 1), pod("p2", 5), pod("p3", 6)),
      ],
      watches: [{ outcome: failure(410, "Expired") }],
    });
    const { informer, clock } = observe(source);
    const listen = (resyncMs: number) => {
      const log: string[] = [];
      informer.onChange(
        {
          add: (object) => log.push(`add ${name(object)}`),
          update: (object) => log.push(`update ${name(object)}`),
        },
        { resyncMs },
      );
      return log;
    };
    const [plain, resynced] = [listen(0), listen(60_000)];
    const missed = ["add p1", "add p2", "update p2", "add p3"];
    await clock.advance(59_999);
    expect([plain, resynced]).toEqual([missed, missed]);
    await clock.advance(1);
    expect(plain).toEqual(missed);
    expect(resynced).toEqual([...missed, "update p1", "update p2", "update p3"]);
    await informer.close();
  });

  it("Q8: delivers nothing for deleted objects, and nothing from an empty cache", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [{ batches: [[deleted(pod("a", 2))]] }],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    informer.onChange({ update: (object) => log.push(name(object)) });
    informer.resync();
    await settle();
    expect([log, informer.list().length]).toEqual([[], 1]);
    informer.resync();
    await settle();
    expect(log).toEqual(["b"]);
    await informer.close();
  });
});

describe("adding and removing handlers", () => {
  it.each([true, false])(
    "I5: a handler added during the first snapshot misses nothing and gets nothing twice (streaming: %s)",
    async (streamingList) => {
      const objects = ["a", "b", "c"].map((name, at) => pod(name, at + 1));
      const initial = [...objects.map((object) => [added(object)]), [bookmark(5, "true")]];
      const source = new ScriptedSource({
        lists: objects.map((object, at) => ({
          ...list(5, object),
          ...(at < 2 ? { next: `C${at}` } : {}),
        })),
        watches: [{ batches: [...(streamingList ? initial : []), [added(pod("d", 6))]] }],
      });
      const logs: string[][] = [];
      const handles: HandlerHandle[] = [];
      const listen = () => {
        const log: string[] = [];
        logs.push(log);
        handles.push(
          informer.onChange({
            add: (object, { initial }) => log.push(`${name(object)} ${initial}`),
          }),
        );
      };
      const { informer, settle } = observe(source, {
        streamingList,
        pageSize: 1,
        onProgress: listen,
      });
      listen();
      await settle();
      await Promise.all(handles.map((handle) => handle.synced()));
      // One log for the start, for each object and for the end.
      expect(logs).toEqual(Array(5).fill(["a true", "b true", "c true", "d false"]));
      await informer.close();
    },
  );

  it("I13: a hundred handlers come and go during events: after close() all are rejected, nothing remains or hangs", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: Array.from({ length: 200 }, (_, i) => [modified(pod("a", i + 2))]) }],
    });
    const { informer, settle, clock, errors } = observe(source);
    let rounds = 0;
    const workers = Array.from({ length: 100 }, async (_, i) => {
      for (;;) {
        let last = 0;
        const handle = informer.onChange(
          {
            update: async ({ metadata }) => {
              // A resync repeats the current state.
              expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(last);
              last = Number(metadata.resourceVersion);
              await undefined;
            },
          },
          { resyncMs: i % 2 === 0 ? 5_000 : 0 },
        );
        await (rounds++ % 3 === 0 ? turn() : undefined);
        await handle.remove();
        await (rounds % 5 === 0 ? turn() : undefined);
        await handle.synced().catch(() => {});
        if (rounds > 2_000) {
          await turn();
        }
      }
    });
    const ends = Promise.allSettled(workers);
    for (let i = 0; i < 10; i++) {
      await settle();
    }
    await informer.close();
    expect(await ends).toEqual(
      workers.map(() => ({
        status: "rejected",
        reason: expect.objectContaining({ code: "Closed" }),
      })),
    );
    expect([errors, informer.health.queued, clock.pending]).toEqual([[], 0, 0]);
  });

  it("Q11: a handler's synced does not resolve during its last initial call", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    let synced = false;
    const within: boolean[] = [];
    const handle = informer.onChange({ add: () => within.push(synced) });
    void handle.synced().then(() => {
      synced = true;
    });
    await settle();
    expect([within, synced]).toEqual([[false], true]);
    await informer.close();
  });

  it("Q10: synced needs a snapshot, even an empty one, and waits for the call of its last object", async () => {
    /**
     * Returns how many calls had ended when `synced` resolved (-1: never). Expects that it does not resolve while a
     * call is held.
     */
    async function syncedAt(source: ScriptedSource, streamingList = false) {
      const { informer, settle } = observe(source, { streamingList });
      let [ended, at] = [0, -1];
      const gates: (() => void)[] = [];
      const add = () => new Promise<void>((resolve) => gates.push(resolve)).then(() => ended++);
      const handle = informer.onChange({ add });
      void handle.synced().then(
        () => (at = ended),
        () => {},
      );
      await settle();
      while (gates.length > 0) {
        expect(at).toBe(-1);
        gates.shift()?.();
        await settle();
      }
      const result = at;
      await informer.close();
      return result;
    }
    const [a, b] = [pod("a", 1), pod("b", 1)];
    expect(await syncedAt(new ScriptedSource({}), true)).toBe(-1);
    expect(await syncedAt(new ScriptedSource({ watches: [{ batches: [[added(a)]] }] }), true)).toBe(
      -1,
    );
    expect(await syncedAt(new ScriptedSource({ lists: [list(1)] }))).toBe(0);
    expect(await syncedAt(new ScriptedSource({ lists: [list(1, a, b)] }))).toBe(2);
  });

  it("Q10: synced does not wait for an object that was deleted before a slow handler received it", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("first", 1), pod("a", 1))],
      watches: [
        {
          batches: [
            [deleted(pod("a", 2))],
            // Enough to coalesce the queue, and with it the add and the deletion.
            ...Array.from({ length: 9 }, (_, i) => [modified(pod("first", i + 3))]),
          ],
        },
      ],
    });
    const { informer, settle } = observe(source);
    const { open, opened } = gate();
    const log: string[] = [];
    const handle = informer.onChange(
      {
        add: (object) => {
          log.push(name(object));
          return opened;
        },
      },
      { maxQueued: 0 },
    );
    let synced = false;
    void handle.synced().then(() => {
      synced = true;
    });
    await settle();
    expect([informer.list().length, synced]).toEqual([1, false]);
    open();
    await settle();
    expect([log, synced]).toEqual([["first"], true]);
    await informer.close();
  });

  it("I16: close() resolves only after the call in progress of every handler has ended", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    const { open, opened } = gate();
    let running = 0;
    for (let i = 0; i < 3; i++) {
      informer.onChange({
        add: async () => {
          running++;
          await opened;
          running--;
        },
      });
    }
    await settle();
    expect(running).toBe(3);
    const closing = informer.close().then(() => running);
    await settle();
    open();
    expect(await closing).toBe(0);
  });
});

describe("a filtered handler", () => {
  it("I24: an object that starts to pass is an add, one that stops passing is a delete", async () => {
    const labelled = (version: number, app: string, extra = {}) =>
      pod("a", version, { labels: { app }, ...extra });
    const source = new ScriptedSource({
      lists: [list(1, labelled(1, "x"), pod("b", 1))],
      watches: [
        {
          batches: [
            [modified(labelled(2, "y"))],
            [modified(labelled(3, "y")), modified(labelled(4, "x"))],
            [modified(labelled(5, "x"))],
            // The final state does not pass; the object that was delivered is gone all the same.
            [deleted(labelled(6, "y")), deleted(pod("b", 7))],
          ],
        },
      ],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const passes = (object: KubeObject) => object.metadata?.labels?.["app"] === "x";
    const version = (object: KubeObject) => object.metadata?.resourceVersion;
    informer.onChange(
      {
        add: (object, { initial }) =>
          log.push(`add ${version(object)}${initial ? " initial" : ""}`),
        update: (object, previous) => log.push(`update ${version(previous)}->${version(object)}`),
        delete: (object) => log.push(`delete ${version(object)}`),
      },
      { filter: passes },
    );
    await settle();
    expect(log).toEqual(["add 1 initial", "delete 2", "add 4", "update 4->5", "delete 6"]);
    await informer.close();
  });

  it("I24: filters both the old and the new object under one name", async () => {
    const source = new ScriptedSource({
      lists: [
        list(1, pod("a", 1, { labels: { app: "x" } })),
        list(9, pod("a", 8, { uid: "other" })),
      ],
      watches: [{ batches: [[errorEvent(status(410, "Expired"))]] }],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    informer.onChange(
      {
        add: () => log.push("add"),
        delete: ({ metadata }, { finalStateUnknown }) =>
          log.push(`delete ${metadata.uid} unknown: ${finalStateUnknown}`),
      },
      { filter: ({ metadata }) => metadata.labels?.["app"] === "x" },
    );
    await settle();
    // The final state of the object that passed was missed.
    expect(log).toEqual(["add", "delete uid-a unknown: true"]);
    await informer.close();
  });

  it("I24: delivers a missed deletion only for an object that passed when it was last seen", async () => {
    const labels = { app: "x" };
    const source = new ScriptedSource({
      lists: [
        list(1, pod("a", 1, { labels }), pod("b", 1, { labels }), pod("c", 1), pod("d", 1)),
        list(9, pod("b", 5), pod("d", 6, { labels })),
      ],
      watches: [{ batches: [[modified(pod("a", 2, { labels }))]], outcome: failure(410, "Gone") }],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const note = (what: string, { metadata }: KubeObject, flag: boolean) =>
      log.push(`${what} ${metadata?.name}@${metadata?.resourceVersion} ${flag}`);
    informer.onChange(
      {
        add: (object, { initial }) => note("add", object, initial),
        delete: (object, { finalStateUnknown }) => note("delete", object, finalStateUnknown),
      },
      { filter: ({ metadata }) => metadata.labels?.["app"] === "x" },
    );
    await settle();
    expect(log).toEqual([
      "add a@1 true",
      "add b@1 true",
      "delete a@2 true",
      "delete b@5 false",
      "add d@6 false",
    ]);
    await informer.close();
  });

  it("I24, N15: a state for which the filter throws does not pass: one error, and later changes are delivered", async () => {
    const odd = (version: number) => pod("a", version, { labels: { odd: "yes" } });
    const states = [odd(2), pod("a", 3), pod("a", 4), odd(5), odd(6)].map(modified);
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: [...states.map((event) => [event]), [deleted(pod("a", 7))]] }],
    });
    const { informer, settle, errors } = observe(source);
    const log: string[] = [];
    const note = (verb: string) => (object: KubeObject) =>
      log.push(`${verb} ${object.metadata?.resourceVersion}`);
    const filter = ({ metadata }: KubeObject) => {
      if (metadata?.labels !== undefined) {
        throw new Error(`not ${metadata.resourceVersion}`);
      }
      return true;
    };
    informer.onChange(
      { add: note("add"), update: note("update"), delete: note("delete") },
      { filter },
    );
    await settle();
    expect(log).toEqual(["add 1", "delete 2", "add 3", "update 4", "delete 5"]);
    expect(errors.map(({ rawMessage }) => rawMessage)).toEqual(["not 2", "not 5", "not 6"]);
    await informer.close();
  });
});

describe("changes()", () => {
  it("T11: yields adds, updates and deletes in order, missed ones too, and is done after close()", async () => {
    const relist: WatchResponse = {
      batches: [
        [modified(pod("a", 2)), added(pod("b", 3)), deleted(pod("b", 4))],
        [errorEvent(status(410, "Expired"))],
      ],
    };
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), list(9)],
      watches: [relist],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const reading = (async () => {
      for await (const change of informer.changes()) {
        const unknown = change.type === "delete" && change.finalStateUnknown ? " unknown" : "";
        log.push(`${change.type} ${change.object.metadata.resourceVersion}${unknown}`);
      }
      return "done";
    })();
    for (let i = 0; i < 5; i++) {
      await settle();
    }
    await informer.close();
    expect(await reading).toBe("done");
    // b was added and deleted in one batch: a reader between batches never sees it.
    expect(log).toEqual(["add 1", "update 2", "delete 2 unknown"]);
  });

  it("Q13: the end wakes both pending reads of one iterator", async () => {
    const { informer, settle } = observe(new ScriptedSource({ lists: [list(1)] }));
    await settle();
    const stream = informer.changes();
    const waiting = Promise.all([stream.next(), stream.next()]);
    await informer.close();
    expect((await waiting).map(({ done }) => done)).toEqual([true, true]);
  });

  it("reads fifty thousand pending changes without walking over those that were read", async () => {
    const items = Array.from({ length: 50_000 }, (_, i) => pod(`p${i}`, 1));
    const { informer } = observe(new ScriptedSource({ lists: [{ items, version: 1 }] }));
    await informer.synced();
    const stream = informer.changes();
    const seen: Change[] = [];
    for await (const change of stream) {
      seen.push(change);
      if (seen.length === items.length) {
        break;
      }
    }
    expect(seen.map(({ key }) => key)).toEqual(items.map((item) => `default/${name(item)}`));
    await informer.close();
  });
});
