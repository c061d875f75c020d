import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import type { AddInfo, Change, DeleteInfo } from "@typekube/informer";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

function record(log: string[], prefix = "") {
  return {
    add: (object: { metadata: { name: string } }, { initial }: AddInfo) => {
      log.push(`${prefix}add ${object.metadata.name}${initial ? " initial" : ""}`);
    },
    update: (
      object: { metadata: { name: string; resourceVersion: string } },
      previous: { metadata: { resourceVersion: string } },
    ) => {
      log.push(
        `${prefix}update ${object.metadata.name} ${previous.metadata.resourceVersion}->${object.metadata.resourceVersion}`,
      );
    },
    delete: (object: { metadata: { name: string } }, { finalStateUnknown }: DeleteInfo) => {
      log.push(`${prefix}delete ${object.metadata.name}${finalStateUnknown ? " unknown" : ""}`);
    },
  };
}

describe("handlers", () => {
  it("I15: a late handler gets the cached objects first, marked as initial, then the changes", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [
        { outcome: failure(429, "TooManyRequests") },
        { batches: [[modified(pod("a", 2))]] },
      ],
    });
    const { informer, settle, clock } = observe(source);
    await settle();
    const log: string[] = [];
    const handle = informer.onChange(record(log));
    await handle.synced();
    expect(log).toEqual(["add a initial", "add b initial"]);
    await clock.advance(1_000);
    expect(log.at(-1)).toBe("update a 1->2");
    await informer.close();
  });

  it("I15: a handler's synced waits until the handler has returned from its last initial add", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    let release = () => {};
    let returned = false;
    const handle = informer.onChange({
      add: () =>
        new Promise<void>((resolve) => {
          release = () => {
            returned = true;
            resolve();
          };
        }),
    });
    let synced = false;
    const waiting = handle.synced().then(() => {
      synced = true;
    });
    await settle();
    expect([informer.isSynced, synced]).toEqual([true, false]);
    release();
    await waiting;
    expect(returned).toBe(true);
    await informer.close();
  });

  it("I17, N15: a handler that throws or rejects loses no event and affects no other; the error is reported", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1), pod("c", 1))] });
    const { informer, settle, errors } = observe(source);
    const good: string[] = [];
    const bad: string[] = [];
    informer.onChange({
      add: (object) => {
        bad.push(object.metadata.name);
        throw new Error(`no ${object.metadata.name}`);
      },
    });
    informer.onChange({ add: async () => Promise.reject(new Error("later")) });
    informer.onChange(record(good));
    await settle();
    expect(bad).toEqual(["a", "b", "c"]);
    expect(good).toHaveLength(3);
    expect(errors.map((error) => error.rawMessage).sort()).toEqual([
      "later",
      "later",
      "later",
      "no a",
      "no b",
      "no c",
    ]);
    await informer.close();
  });

  it("N13: an async handler is awaited before its next event", async () => {
    const source = new ScriptedSource({
      lists: [list(1)],
      watches: [
        { batches: [[added(pod("a", 2)), modified(pod("a", 3))], [modified(pod("a", 4))]] },
      ],
    });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const step = async (object: { metadata: { resourceVersion: string } }) => {
      log.push(`start ${object.metadata.resourceVersion}`);
      await settle();
      log.push(`end ${object.metadata.resourceVersion}`);
    };
    informer.onChange({ add: step, update: step });
    for (let i = 0; i < 5; i++) {
      await settle();
    }
    expect(log).toEqual(["start 2", "end 2", "start 3", "end 3", "start 4", "end 4"]);
    await informer.close();
  });

  it("I11: a removed handler is not called any more; removing it twice does nothing", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const handle = informer.onChange(record(log));
    await handle.remove();
    await handle.remove();
    await settle();
    expect(log).toEqual([]);
    await informer.close();
    await handle.remove();
  });

  it("I12: a handler that is added twice gets everything twice, with independent handles", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    const log: string[] = [];
    const handler = record(log);
    informer.onChange(handler);
    await informer.onChange(handler).remove();
    informer.onChange(handler);
    await settle();
    expect(log).toEqual(["add a initial", "add a initial"]);
    await informer.close();
  });

  it("I14: a closed informer rejects a new handler", async () => {
    const { informer, settle } = observe(new ScriptedSource({ lists: [list(1)] }));
    const states = [informer.health.state];
    await settle();
    states.push(informer.health.state);
    await informer.close();
    states.push(informer.health.state);
    expect(states).toEqual(["listing", "watching", "stopped"]);
    expect(() => informer.onChange({})).toThrow(expect.objectContaining({ code: "Closed" }));
  });

  it.each(["before it begins", "while it is asked", "after a failure", "when it is whole"])(
    "calls on an informer whose signal aborts %s fail with the signal's reason as the cause",
    async (when) => {
      const reason = new Error("my reason");
      const stop = new AbortController();
      if (when === "before it begins") {
        stop.abort(reason);
      }
      const lists = {
        "after a failure": [failure(403, "Forbidden")],
        "when it is whole": [list(1, pod("a", 1))],
      }[when];
      const source = new ScriptedSource({ lists: lists ?? [list(1)] });
      const { informer, settle } = observe(source, { signal: stop.signal });
      const closed = { code: "Closed", message: "[Closed] the informer is closed", cause: reason };
      const outcome = expect(
        when === "when it is whole" ? informer.caughtUpTo("5") : informer.synced(),
      ).rejects.toMatchObject(closed);
      if (when !== "while it is asked") {
        await settle();
      }
      stop.abort(reason);
      await outcome;
      expect(() => informer.onChange({ add: () => {} })).toThrow(expect.objectContaining(closed));
      expect(() => informer.changes()).toThrow(expect.objectContaining(closed));
      expect(() => informer.addIndex("q", () => [])).toThrow(expect.objectContaining(closed));
      await expect(informer.caughtUpTo("5")).rejects.toMatchObject(closed);
      await informer.close();
    },
  );

  it("an informer that was closed before its signal aborted reports no cause", async () => {
    const stop = new AbortController();
    const { informer } = observe(new ScriptedSource({}), { signal: stop.signal });
    await informer.close();
    stop.abort(new Error("too late"));
    const requested = await informer
      .synced()
      .catch((error: KubeError) => [error.code, error.cause]);
    expect(requested).toEqual(["Closed", undefined]);
  });
});

describe("a snapshot that replaces another", () => {
  const relist = [{ batches: [[errorEvent(status(410, "Expired"))]] }];

  it("I6: delivers the missed changes, and nothing for unchanged objects", async () => {
    const source = new ScriptedSource({
      lists: [
        list(1, pod("p1", 1), pod("p2", 1)),
        list(9, pod("p1", 1), pod("p2", 5), pod("p3", 6)),
      ],
      watches: [...relist],
    });
    const log: string[] = [];
    const { informer, settle } = observe(source);
    informer.onChange(record(log));
    await settle();
    expect(log).toEqual(["add p1 initial", "add p2 initial", "update p2 1->5", "add p3"]);
    expect(informer.health.gaps).toBe(1);
    await informer.close();
  });

  it("I19: delivers a missed deletion with the last known state", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), list(9)],
      watches: [{ batches: [[modified(pod("a", 2))], ...(relist[0]?.batches ?? [])] }],
    });
    const log: string[] = [];
    const states: unknown[] = [];
    const { informer, settle } = observe(source);
    informer.onChange(record(log));
    informer.onChange({
      update: (object) => states.push(object),
      delete: (object) => states.push(object),
    });
    await settle();
    expect(log).toEqual(["add a initial", "update a 1->2", "delete a unknown"]);
    expect(states[1]).toBe(states[0]);
    await informer.close();
  });

  it("I20, GRP15: delivers another object under the same name as one change of type replaced", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), list(9, pod("a", 7, { uid: "other" }))],
      watches: [...relist],
    });
    const changes: Change[] = [];
    const { informer, settle } = observe(source);
    const log: string[] = [];
    informer.onChange({
      ...record(log),
      replaced: (object, previous) =>
        log.push(`replaced ${previous.metadata.uid} ${object.metadata.uid}`),
    });
    informer.onChange({ update: () => log.push("update stands in for it") });
    const stream = informer.changes();
    await settle();
    expect(log).toEqual(["add a initial", "replaced uid-a other", "update stands in for it"]);
    changes.push((await stream.next()).value as Change);
    expect(changes[0]?.type).toBe("add");
    await informer.close();
  });

  it("R24: keeps the identity of unchanged objects", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), list(9, pod("a", 1))],
      watches: [...relist],
    });
    const { informer, settle } = observe(source);
    await informer.synced();
    const before = informer.get("default/a");
    await settle();
    expect(source.lists).toHaveLength(2);
    expect(informer.get("default/a")).toBe(before);
    await informer.close();
  });
});

describe("lookups", () => {
  it("I28: finds an object under every value of an index; values without objects disappear", async () => {
    const source = new ScriptedSource({
      lists: [
        list(
          1,
          pod("a", 1, { labels: { app: "x", tier: "1" } }),
          pod("b", 1, { labels: { app: "x" } }),
        ),
      ],
      watches: [
        { batches: [[modified(pod("a", 2, { labels: { app: "y" } })), deleted(pod("b", 3))]] },
      ],
    });
    const { informer, settle } = observe(source, {
      indexes: {
        label: (object) =>
          Object.entries(object.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`),
      },
    });
    await informer.synced();
    expect(informer.by["label"]?.("app=x").map(({ metadata }) => metadata.name)).toEqual([
      "a",
      "b",
    ]);
    expect(informer.by["label"]?.("tier=1")).toHaveLength(1);
    await settle();
    expect(informer.indexValues("label")).toEqual(["app=y"]);
    expect(informer.by["label"]?.("app=x")).toEqual([]);
    await informer.close();
  });

  it("an index shows the state of the cache even when the program modified a cached object", async () => {
    const source = new ScriptedSource({
      lists: [
        list(1, pod("a", 1, { labels: { app: "x" } }), pod("b", 1, { labels: { app: "x" } })),
      ],
      watches: [
        { batches: [[modified(pod("a", 2, { labels: { app: "y" } })), deleted(pod("b", 3))]] },
      ],
    });
    const { informer, settle } = observe(source, {
      indexes: { app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] },
    });
    await informer.synced();
    for (const { metadata } of informer.list()) {
      metadata.labels = { app: "z" };
    }
    await settle();
    const versions = (app: string) =>
      informer.by["app"]?.(app).map(({ metadata }) => metadata.resourceVersion);
    expect(versions("y")).toEqual(["2"]);
    expect(versions("x")).toEqual(["2"]);
    await informer.close();
  });

  it("I27: list filters by namespace and label selector", async () => {
    const source = new ScriptedSource({
      lists: [
        list(
          1,
          pod("a", 1, { labels: { app: "x" } }),
          pod("b", 1, { namespace: "other", labels: { app: "x" } }),
          pod("c", 1),
        ),
      ],
    });
    const { informer } = observe(source);
    await informer.synced();
    const names = (options: Parameters<typeof informer.list>[0]) =>
      informer.list(options).map(({ metadata }) => metadata.name);
    expect(names({})).toEqual(["a", "c", "b"]);
    expect(names({ namespace: "other" })).toEqual(["b"]);
    expect(names({ labelSelector: "app=x" })).toEqual(["a", "b"]);
    expect(names({ labelSelector: "!app" })).toEqual(["c"]);
    expect(names({ namespace: "other", labelSelector: { app: "x" } })).toEqual(["b"]);
    expect(() => names({ namespace: "" })).toThrow(
      expect.objectContaining({ code: "InvalidArgument" }),
    );
    expect([names({ namespace: "none" }), names({ labelSelector: "app,!app" })]).toEqual([[], []]);
    await informer.close();
  });
});

describe("waiting", () => {
  it("synced rejects with the last failure, and the informer continues to retry", async () => {
    const source = new ScriptedSource({
      lists: Array.from({ length: 6 }, () => failure(403, "Forbidden", "pods is forbidden")),
    });
    const { informer, clock } = observe(source, { failAfterMs: 5_000 });
    const outcome = informer.synced().then(
      () => "synced",
      (error: KubeError) => error.code,
    );
    await clock.advance(6_000);
    expect(await outcome).toBe("Forbidden");
    expect(informer.health).toMatchObject({ synced: false, lastError: { code: "Forbidden" } });
    expect(informer.health.stalledSince).toBeDefined();
    const before = source.lists.length;
    await clock.advance(60_000);
    expect(source.lists.length).toBeGreaterThan(before);
    await informer.close();
  });

  it("synced rejects when the server sends nothing at all", async () => {
    const { informer, clock } = observe(new ScriptedSource({}), {
      streamingList: true,
      failAfterMs: 3_000,
    });
    const outcome = informer.synced().catch((error: KubeError) => error.code);
    await clock.advance(3_000);
    expect(await outcome).toBe("DeadlineExceeded");
    await informer.close();
  });

  it("synced keeps waiting while objects arrive, even after the server rejected a streaming list", async () => {
    const refused = failure(400, "BadRequest", "sendInitialEvents is forbidden for watch");
    const source = new ScriptedSource({ watches: [refused] });
    let isCut = true;
    const { informer, clock } = observe(source, {
      streamingList: true,
      failAfterMs: 3_000,
      backoff: { initialMs: 5_000 },
    });
    source.listParts = async function* ({ signal }) {
      for (let i = 0; i < 10; i++) {
        const metadata = { resourceVersion: "20" };
        yield { apiVersion: "v1", kind: "PodList", metadata, items: [pod(`pod-${i}`, i + 1)] };
        await sleep(clock, 1_000, signal);
        if (isCut && i === 4) {
          throw new KubeError("ConnectionReset", "the list was cut");
        }
      }
    };
    const outcomes: unknown[] = [];
    const wait = () =>
      informer.synced().then(
        () => outcomes.push("synced"),
        (error: KubeError) => outcomes.push(error.code),
      );
    const first = wait();
    await clock.advance(4_500);
    expect(outcomes).toEqual([]);
    await clock.advance(2_000);
    await first;
    expect(outcomes).toEqual(["ConnectionReset"]);
    isCut = false;
    await clock.advance(5_000);
    const second = wait();
    await clock.advance(12_000);
    await second;
    expect(outcomes).toEqual(["ConnectionReset", "synced"]);
    await informer.close();
  });

  it("synced rejects with the signal's own reason", async () => {
    const { informer } = observe(new ScriptedSource({}), { streamingList: true });
    const controller = new AbortController();
    const outcome = informer.synced({ signal: controller.signal }).catch((error: unknown) => error);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await informer.close();
  });

  it("close() rejects pending waits, and leaves no timer", async () => {
    const { informer, clock } = observe(new ScriptedSource({}), { streamingList: true });
    const outcomes = Promise.allSettled([
      informer.synced(),
      informer.caughtUpTo("5", { timeoutMs: 1_000 }),
    ]);
    await informer.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "Closed" } });
    }
    expect(clock.pending).toBe(0);
  });

  it("caughtUpTo resolves when a write is visible; its timeout error contains the cache's resourceVersion", async () => {
    const source = new ScriptedSource({ lists: [list(7)] });
    const { informer, clock } = observe(source);
    await informer.synced();
    await informer.caughtUpTo("7");
    const outcome = informer.caughtUpTo("8", { timeoutMs: 500 }).catch((error: KubeError) => error);
    await clock.advance(500);
    expect(await outcome).toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("at resourceVersion 7"),
    });
    await informer.close();
  });
});

describe("changes()", () => {
  it("N14: a slow reader gets the last state of each object, never less", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [
        {
          batches: [
            [
              modified(pod("a", 2)),
              modified(pod("a", 3)),
              added(pod("c", 4)),
              deleted(pod("c", 5)),
              deleted(pod("b", 6)),
            ],
          ],
        },
      ],
    });
    const { informer, settle } = observe(source);
    await informer.synced();
    const stream = informer.changes();
    expect((await stream.next()).value).toMatchObject({
      type: "add",
      key: "default/a",
      initial: true,
    });
    expect((await stream.next()).value).toMatchObject({
      type: "add",
      key: "default/b",
      initial: true,
    });
    await settle();
    const seen = [(await stream.next()).value, (await stream.next()).value];
    expect(seen).toMatchObject([
      {
        type: "update",
        key: "default/a",
        object: { metadata: { resourceVersion: "3" } },
        previous: { metadata: { resourceVersion: "1" } },
      },
      { type: "delete", key: "default/b", finalStateUnknown: false },
    ]);
    await informer.close();
    expect((await stream.next()).done).toBe(true);
  });

  it("leaving the loop does not end the informer", async () => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer } = observe(source);
    await informer.synced();
    for await (const change of informer.changes()) {
      expect(change.key).toBe("default/a");
      break;
    }
    expect(informer.health.state).toBe("watching");
    await informer.close();
  });
});
