import type { KubeObject, Live } from "@typekube/api";
import { Namespace, Pod } from "@typekube/api/core/v1";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import { startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { createInformer, type FollowEvent } from "@typekube/informer";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

const gone410 = { batches: [[errorEvent(status(410, "Expired"))]] };

function withoutLabels(object: Live<KubeObject>): Live<KubeObject> {
  const { labels: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

describe("transforms", () => {
  it("R32: run once per object: three times for a streaming list of two objects and a live event", async () => {
    let calls = 0;
    const source = new ScriptedSource({
      watches: [
        {
          batches: [
            [added(pod("a", 1, { labels: { x: "1" } })), added(pod("b", 2))],
            [bookmark(3, "true")],
            [added(pod("c", 4, { labels: { x: "1" } }))],
          ],
        },
      ],
    });
    const { informer, settle } = observe(source, {
      streamingList: true,
      transform: (object) => {
        calls++;
        return withoutLabels(object);
      },
    });
    await settle();
    expect(calls).toBe(3);
    expect(informer.list().map(({ metadata }) => metadata.labels)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await informer.close();
  });

  it("R32 [+]: a relist does not transform unchanged objects again", async () => {
    const transformed: string[] = [];
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1)), list(9, pod("a", 1), pod("b", 5))],
      watches: [gone410],
    });
    const { informer, settle } = observe(source, {
      transform: (object) => {
        transformed.push(`${object.metadata.name}@${object.metadata.resourceVersion}`);
        return object;
      },
    });
    await settle();
    expect(transformed).toEqual(["a@1", "b@1", "b@5"]);
    await informer.close();
  });

  it("Q6: run once for each added, updated, deleted or relisted object, not for missed deletions or resyncs", async () => {
    const transformed: string[] = [];
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1), pod("c", 1)), list(9, pod("a", 2), pod("d", 9))],
      watches: [
        {
          batches: [[modified(pod("a", 2)), added(pod("x", 3)), deleted(pod("c", 4))]],
          outcome: failure(410, "Expired"),
        },
      ],
    });
    const { informer, settle } = observe(source, {
      transform: (object) => {
        transformed.push(`${object.metadata.name}@${object.metadata.resourceVersion}`);
        return object;
      },
    });
    const deletions: string[] = [];
    const resynced: string[] = [];
    informer.onChange({
      update: ({ metadata }) => resynced.push(metadata.name),
      delete: ({ metadata }, { finalStateUnknown }) =>
        deletions.push(`${metadata.name} ${finalStateUnknown}`),
    });
    await settle();
    informer.resync();
    await settle();
    expect(deletions).toEqual(["c false", "b true", "x true"]);
    expect(resynced).toEqual(["a", "a", "d"]);
    expect(transformed).toEqual(["a@1", "b@1", "c@1", "a@2", "x@3", "c@4", "d@9"]);
    await informer.close();
  });

  it("I9: apply to handlers, the cache, indexes and the final state of a deletion", async () => {
    const labels = { app: "x" };
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1, { labels }))],
      watches: [
        { batches: [[modified(pod("a", 2, { labels })), deleted(pod("a", 3, { labels }))]] },
      ],
    });
    const { informer, settle } = observe(source, { transform: withoutLabels });
    const seen: unknown[] = [];
    const look = ({ metadata }: KubeObject) => seen.push(metadata?.labels);
    informer.onChange({ add: look, update: look, delete: look });
    await settle();
    expect(seen).toEqual([undefined, undefined, undefined]);
    await informer.close();
  });

  it("I9: a renaming transform changes the shown name everywhere; the key keeps the server's name", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1)), list(6, pod("b", 5), pod("c", 6))],
      watches: [
        {
          batches: [
            [modified(pod("a", 2)), added(pod("x", 3)), deleted(pod("x", 4))],
            [modified(pod("b", 5))],
            ...gone410.batches,
          ],
        },
      ],
    });
    const upper = (object: Live<KubeObject>) => {
      object.metadata.name = object.metadata.name.toUpperCase();
      return object;
    };
    const { informer, clock, settle, content, errors } = observe(source, {
      transform: upper,
      indexes: { name: ({ metadata }) => [metadata.name] },
    });
    const received: string[] = [];
    const tell = (what: string) => (object: KubeObject) =>
      received.push(`${what} ${object.metadata?.name}`);
    informer.onChange({ add: tell("add"), update: tell("update"), delete: tell("delete") });
    const keys: string[] = [];
    void (async () => {
      for await (const { key } of informer.changes()) {
        keys.push(key);
      }
    })();
    await settle();
    const kept = informer.get("default/b");
    await clock.advance(5_000);
    expect(content()).toEqual(["B@5", "C@6"]);
    expect(received).toEqual([
      ...["add A", "add B", "update A", "add X", "delete X", "update B"],
      ...["delete A", "add C"],
    ]);
    expect(new Set(keys)).toEqual(new Set(["default/a", "default/b", "default/c"]));
    expect(informer.get("default/b")).toBe(kept);
    expect(informer.by["name"]?.("B")).toEqual([kept]);
    expect(errors.map(({ code }) => code)).toEqual(["Expired"]);

    informer.mutated(pod("b", 9) as Live<KubeObject>);
    expect(content()).toEqual(["B@9", "C@6"]);
    expect(informer.get("default/b")?.metadata).toMatchObject({ name: "B", resourceVersion: "9" });
    expect(informer.by["name"]?.("B")).toHaveLength(1);
    await informer.close();
  });

  it("I10: a transform that reads the cache sees the complete old snapshot, never half of the new one", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1)), list(9, pod("a", 7), pod("b", 8), pod("c", 9))],
      watches: [gone410],
    });
    const seen: string[] = [];
    const { informer, settle, content } = observe(source, {
      transform: (object) => {
        seen.push(informer ? content().join(" ") : "");
        return object;
      },
    });
    await settle();
    expect(seen).toEqual(["", "", ...Array.from({ length: 3 }, () => "a@1 b@1")]);
    expect(content()).toEqual(["a@7", "b@8", "c@9"]);
    await informer.close();
  });

  it("may leave objects out; leaving out a cached object is a deletion", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1, { labels: { skip: "" } }))],
      watches: [
        {
          batches: [
            [modified(pod("a", 2, { labels: { skip: "" } }))],
            [modified(pod("b", 3))],
            [deleted(pod("a", 4))],
          ],
        },
      ],
    });
    const { informer, settle } = observe(source, {
      transform: (object) => (object.metadata.labels?.["skip"] === undefined ? object : undefined),
    });
    const log: string[] = [];
    informer.onChange({
      add: ({ metadata }) => log.push(`add ${metadata.name}`),
      delete: ({ metadata }) => log.push(`delete ${metadata.name}@${metadata.resourceVersion}`),
    });
    await settle();
    expect(log).toEqual(["add a", "delete a@1", "add b"]);
    expect(informer.resourceVersion).toBe("4");
    await informer.close();
  });

  it.each([null, 5, "text", [], {}, { metadata: null }])(
    "I22: returning %j leaves out every object and is reported; the resourceVersion follows all events and lists",
    async (odd) => {
      const source = new ScriptedSource({ lists: [list(10, pod("a", 1)), list(60, pod("b", 2))] });
      const versions: string[] = [];
      const steps = [
        added(pod("c", 20)),
        modified(pod("c", 30)),
        deleted(pod("c", 40)),
        bookmark(50),
      ];
      source.watchBatches = async function* ({ signal }) {
        versions.push(informer.resourceVersion);
        for (const step of source.lists.length === 1 ? steps : []) {
          yield [step];
          versions.push(informer.resourceVersion);
        }
        if (source.lists.length === 1) {
          throw failure(410, "Expired");
        }
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      };
      const { informer, settle, errors, content } = observe(source, {
        transform: () => odd as never,
      });
      await settle();
      expect(versions).toEqual(["10", "20", "30", "40", "50", "60"]);
      expect([content(), informer.health.state]).toEqual([[], "watching"]);
      const received = errors.map(({ code }) => code);
      expect(received.filter((code) => code !== "Expired")).toEqual(
        Array(4).fill("InvalidArgument"),
      );
      await informer.close();
    },
  );

  it("Q6, I22: reports a throw, a result that is no object, a lost name or a changed uid; the resourceVersion advances", async () => {
    const source = new ScriptedSource({
      lists: [list(1, ...["throws", "nothing", "nameless", "other", "good"].map((n) => pod(n, 1)))],
      watches: [{ batches: [[added(pod("throws", 7))]] }],
    });
    const { informer, settle, errors, content } = observe(source, {
      transform: (object) => {
        switch (object.metadata.name) {
          case "throws":
            throw new Error("no");
          case "nothing":
            return 5 as never;
          case "nameless":
            return { ...object, metadata: { ...object.metadata, name: "" } };
          case "other":
            return { ...object, metadata: { ...object.metadata, uid: "another" } };
          default:
            return object;
        }
      },
    });
    await settle();
    expect(content()).toEqual(["good@1"]);
    expect(errors.map(({ code }) => code)).toEqual([
      "Unknown",
      "InvalidArgument",
      "InvalidArgument",
      "InvalidArgument",
      "Unknown",
    ]);
    expect(informer.resourceVersion).toBe("7");
    await informer.close();
  });
});

describe("frozen objects", () => {
  it("may contain byte arrays and cycles from a transform", async () => {
    const { informer, errors, settle } = observe(
      new ScriptedSource({ lists: [list(1, pod("a", 1))] }),
      {
        freeze: true,
        transform: (object) => Object.assign(object, { self: object, bytes: Buffer.from("ab") }),
      },
    );
    await settle();
    expect(errors).toEqual([]);
    expect(informer.health.state).toBe("watching");
    expect(informer.list().map((object) => Object.isFrozen(object.metadata))).toEqual([true]);
    await informer.close();
  });

  it("throw a TypeError when modified; without freeze no object is frozen", async () => {
    const source = () =>
      new ScriptedSource({ lists: [list(1, pod("a", 1, { labels: { app: "x" } }))] });
    const frozen = observe(source(), { freeze: true });
    await frozen.informer.synced();
    const object = frozen.informer.get("default/a") as Live<KubeObject>;
    expect(() => {
      (object.metadata.labels as Record<string, string>)["app"] = "y";
    }).toThrow(TypeError);
    expect(
      () => object.metadata.finalizers?.push("f") ?? Object.assign(object, { kind: "X" }),
    ).toThrow(TypeError);
    await frozen.informer.close();
    const plain = observe(source());
    await plain.informer.synced();
    expect(Object.isFrozen(plain.informer.get("default/a"))).toBe(false);
    await plain.informer.close();
  });

  it("a recorded write can still be modified by the caller", async () => {
    const { informer } = observe(new ScriptedSource({ lists: [list(1)] }), { freeze: true });
    await informer.synced();
    const mine = pod("a", 8) as Live<KubeObject>;
    informer.mutated(mine);
    mine.metadata.labels = { later: "" };
    expect(informer.get("default/a")?.metadata.labels).toBeUndefined();
    expect(Object.isFrozen(informer.get("default/a"))).toBe(true);
    await informer.close();
  });
});

describe("indexes", () => {
  const byApp = (object: KubeObject) => [object.metadata?.labels?.["app"] ?? "none"];

  it("I1: cover current and future objects when added later; find nothing once removed", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1, { labels: { app: "x" } }))],
      watches: [
        { outcome: "end" },
        { batches: [[added(pod("b", 2, { labels: { app: "x" } }))], [modified(pod("a", 3))]] },
      ],
    });
    const { informer, clock } = observe(source);
    await informer.synced();
    const index = informer.addIndex("app", byApp);
    expect(index.get("x").map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await clock.advance(2_000);
    expect(index.get("x").map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect(informer.by["app"]?.("none")).toHaveLength(1);
    expect(index.values().sort()).toEqual(["none", "x"]);
    expect(() => informer.addIndex("app", byApp)).toThrow(
      expect.objectContaining({ code: "InvalidArgument" }),
    );
    index.remove();
    index.remove();
    expect([index.get("x"), index.values(), informer.by["app"]]).toEqual([[], [], undefined]);
    informer.addIndex("app", () => ["all"]);
    index.remove();
    expect(informer.by["app"]?.("all")).toHaveLength(2);
    await informer.close();
    expect(() => informer.addIndex("late", byApp)).toThrow(
      expect.objectContaining({ code: "Closed" }),
    );
  });

  it("I28: several values, duplicates or none: each value finds the object once or not at all", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [{ batches: [[deleted(pod("a", 2)), deleted(pod("b", 3))]] }],
    });
    const { informer, settle } = observe(source, {
      indexes: { many: ({ metadata }) => (metadata.name === "a" ? ["x", "y", "x"] : ["y"]) },
    });
    await informer.synced();
    expect(informer.by["many"]?.("x")).toHaveLength(1);
    expect(informer.by["many"]?.("y")).toHaveLength(2);
    await settle();
    expect(informer.indexValues("many")).toEqual([]);
    await informer.close();
  });

  it("Q15: a function that throws is reported once; its object has no values, the others keep theirs", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("bad", 1), pod("good", 1))],
      watches: [{ batches: [[modified(pod("bad", 2)), deleted(pod("bad", 3))]] }],
    });
    const { informer, settle, errors, content } = observe(source, {
      indexes: {
        name: ({ metadata }) => {
          if (metadata.name === "bad") {
            throw new Error("no");
          }
          return [metadata.name];
        },
      },
    });
    await settle();
    expect(informer.indexValues("name")).toEqual(["good"]);
    expect([content(), errors.length]).toEqual([["good@1"], 2]);
    expect(informer.health.state).toBe("watching");
    await informer.close();
  });
});

describe("the metadata view", () => {
  it("an informer of the metadata view holds no spec, applies changes and accepts recorded writes", async () => {
    const api = await startApiServer({ clock: "virtual" });
    const client = await api.client();
    await client.resource(Namespace).create({ metadata: { name: "prod" } });
    const pods = client.resource(Pod, "prod");
    const create = (name: string) =>
      pods.create({
        metadata: { name, labels: { app: "x" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      });
    await create("a");
    for (const streamingList of [true, false]) {
      const informer = createInformer(client, Pod, {
        namespace: "prod",
        view: "metadata",
        streamingList,
        indexes: { app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] },
      });
      await informer.synced();
      const { metadata } = await create(`b-${streamingList}`);
      await api.clock.advance(0);
      await informer.caughtUpTo(metadata.resourceVersion);
      for (const object of informer.list()) {
        expect(Object.keys(object).sort()).toEqual(["apiVersion", "kind", "metadata"]);
        expect(object.kind).toBe("PartialObjectMetadata");
      }
      expect(informer.by.app("x").length).toBe(streamingList ? 2 : 3);
      await informer.close();
    }
    const informer = createInformer(client, Pod, { view: "metadata" });
    await informer.synced();
    informer.mutated(await create("mine"));
    expect(informer.get("prod/mine")).not.toHaveProperty("spec");
    await informer.close();
    await api.close();
  });

  it.each([true, false])(
    "follow of the metadata view yields only metadata, in the snapshot, in changes and in deletions (streamingList: %s)",
    async (streamingList) => {
      await using api = await startApiServer({ clock: "virtual" });
      await using client = await api.client();
      await client.resource(Namespace).create({ metadata: { name: "prod" } });
      const pods = client.resource(Pod, "prod");
      const spec = { containers: [{ name: "c", image: "i" }] };
      await pods.create({ metadata: { name: "a" }, spec });
      const options = { namespace: "prod", view: "metadata", streamingList } as const;
      const events: FollowEvent<PartialObjectMetadata>[] = [];
      for await (const event of client.follow(Pod, options)) {
        events.push(event);
        if (event.type === "synced") {
          await pods.create({ metadata: { name: "b" }, spec });
          await pods.patch("b", mergePatch({ metadata: { labels: { app: "x" } } }));
          await pods.delete("b", { gracePeriodSeconds: 0 });
        }
        if (event.type === "deleted") {
          break;
        }
      }
      expect(
        events.map((event) =>
          "object" in event
            ? `${event.type} ${event.object.metadata.name} ${event.object.metadata.labels?.["app"]}`
            : event.type,
        ),
      ).toEqual([
        "initial a undefined",
        "synced",
        "applied b undefined",
        "applied b x",
        // The deletion sets deletionTimestamp first.
        "applied b x",
        "deleted b x",
      ]);
      for (const event of events) {
        if ("object" in event) {
          expect(Object.keys(event.object).sort()).toEqual(["apiVersion", "kind", "metadata"]);
          expect(event.object.kind).toBe("PartialObjectMetadata");
        }
      }
      expect(api.openWatches).toBe(0);
    },
  );
});
