import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { isConflict, isNotFound, KubeError } from "@typekube/core";
import { createInformer } from "@typekube/informer";
import { rediscovering } from "@typekube/informer/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, failure } from "./wire-events.js";

const kind = { apiVersion: "example.com/v1", kind: "Widget" } as const;
const definition = (scope: "Cluster" | "Namespaced") => ({
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope,
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
});

/** A source of a kind that the server serves only at times. */
class ComingAndGoing extends ScriptedSource {
  isServed = false;
  looks = 0;
  override async descriptor() {
    this.looks++;
    if (!this.isServed) {
      throw new KubeError("NotFound", "this server does not serve Widget in example.com/v1");
    }
    return super.descriptor();
  }
}

describe("an informer of a kind that is found by discovery", () => {
  it("retries a missing kind every 5 to 10 seconds, and rejects synced() with NotFound", async () => {
    const source = new ComingAndGoing({ lists: [list(1, pod("a", 1))] });
    const { informer, clock } = observe(source, { failAfterMs: 20_000, random: () => 0.5 });
    const outcome = informer.synced().catch((error: KubeError) => error.code);
    await clock.advance(600_000);
    expect(await outcome).toBe("NotFound");
    expect(source.looks).toBeGreaterThan(600 / 10);
    expect(source.looks).toBeLessThan(600 / 5);
    expect(informer.health).toMatchObject({ synced: false, lastError: { code: "NotFound" } });
    source.isServed = true;
    await clock.advance(10_000);
    expect(informer.health).toMatchObject({ synced: true, objects: 1 });
    await informer.close();
  });

  it("keeps its objects while the kind is missing, and reports the difference when it returns", async () => {
    const source = new ComingAndGoing({
      lists: [list(1, pod("a", 1), pod("b", 1)), list(50, pod("b", 40, { uid: "another b" }))],
      watches: [
        { batches: [[added(pod("c", 2))]], outcome: failure(404, "NotFound") },
        { batches: [] },
      ],
    });
    source.isServed = true;
    const log: string[] = [];
    const { informer, clock, content } = observe(source, {
      onState: ({ name }) => {
        // The kind is missing from the first failure on.
        source.isServed &&= name !== "waiting";
      },
    });
    const note = (what: string) => (object: { metadata: { name: string } }) =>
      log.push(`${what} ${object.metadata.name}`);
    informer.onChange({ add: note("add"), delete: note("delete"), replaced: note("replaced") });
    await clock.advance(60_000);
    expect(content()).toEqual(["a@1", "b@1", "c@2"]);
    expect(informer.health.stalledSince).toBeDefined();
    log.length = 0;
    source.isServed = true;
    await clock.advance(30_000);
    expect(content()).toEqual(["b@40"]);
    expect(log).toEqual(["delete a", "delete c", "replaced b"]);
    expect(informer.health.stalledSince).toBeUndefined();
    await informer.close();
  });

  it("invalidates discovery only when the server no longer knows the resource", async () => {
    let forgotten = 0;
    const source = rediscovering(
      new ScriptedSource({
        lists: [failure(500, "InternalError"), failure(404, "NotFound")],
        watches: [failure(410, "Expired"), failure(404, "NotFound")],
      }),
      { invalidate: () => forgotten++ },
    );
    const outcomes: unknown[] = [];
    for (const read of [
      () => source.listParts({}),
      () => source.listParts({}),
      () => source.watchBatches({ signal: new AbortController().signal }),
      () => source.watchBatches({ signal: new AbortController().signal }),
    ]) {
      const error = await read()
        [Symbol.asyncIterator]()
        .next()
        .catch((reason: unknown) => reason);
      outcomes.push([(error as KubeError).code, forgotten]);
    }
    expect(outcomes).toEqual([
      ["InternalError", 0],
      ["NotFound", 1],
      ["Expired", 1],
      ["NotFound", 2],
    ]);
  });

  it("recovers in one namespace after its kind returned cluster-wide and then namespaced again", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using admin = await api.client();
    await using client = await api.client();
    const definitions = admin.resource(CustomResourceDefinition);
    const codes = new Set<string>();
    const informer = createInformer(client, kind, {
      namespace: "default",
      onError: ({ code }) => codes.add(code),
    });
    /**
     * Polls until a condition is true. Advances the clock while the informer waits, but not during its requests,
     * however long they take.
     */
    const comesTrue = (what: () => boolean) =>
      expect
        .poll(
          async () => {
            if (!["listing", "streaming"].includes(informer.health.state)) {
              await api.clock.advance(1_000);
            }
            return what();
          },
          { interval: 5 },
        )
        .toBe(true);
    const replace = async (scope: "Cluster" | "Namespaced") => {
      codes.clear();
      // A watch that ends within a second would be another failure.
      await api.clock.advance(1_000);
      await definitions.delete("widgets.example.com");
      await comesTrue(() => codes.has("NotFound"));
      await definitions.create(definition(scope));
    };
    await definitions.create(definition("Namespaced"));
    await comesTrue(() => informer.isSynced);
    await replace("Cluster");
    await comesTrue(() => codes.has("InvalidArgument"));
    expect([...codes]).toEqual(["NotFound", "InvalidArgument"]);
    await replace("Namespaced");
    admin.discovery.invalidate();
    await admin.resource(kind, "default").create({ metadata: { name: "back" } });
    await comesTrue(() => informer.list().length > 0);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["back"]);
    await informer.close();
  });

  it("keeps its objects while its API version is not served, and reports the difference when it is again", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using admin = await api.client();
    await using client = await api.client();
    const [version] = definition("Namespaced").spec.versions;
    const versions = (isServed: boolean, stored: "v1" | "v2") => [
      { ...version, name: "v1", served: isServed, storage: stored === "v1" },
      { ...version, name: "v2", served: true, storage: stored === "v2" },
    ];
    const definitions = admin.resource(CustomResourceDefinition);
    const change = async (...now: Parameters<typeof versions>) => {
      await definitions.patch(
        "widgets.example.com",
        mergePatch({ spec: { versions: versions(...now) } }),
      );
    };
    const pass = async (seconds: number) => {
      for (let n = 0; n < seconds; n++) {
        await api.clock.advance(1_000);
        await turn();
      }
    };
    const v2 = { apiVersion: "example.com/v2", kind: "Widget" } as const;
    const created = definition("Namespaced");
    await definitions.create({
      ...created,
      spec: { ...created.spec, versions: versions(true, "v1") },
    });
    for (const name of ["a", "b"]) {
      await admin.resource(kind, "default").create({ metadata: { name } });
    }
    await using old = createInformer(client, kind);
    await using young = createInformer(client, v2);
    const log: string[] = [];
    const note = (what: string) => (object: KubeObject) =>
      log.push(`${what} ${object.apiVersion} ${object.metadata?.name}`);
    old.onChange({ add: note("add"), update: note("update"), delete: note("delete") });
    await Promise.all([old.synced(), young.synced()]);
    await pass(1);
    expect(log.splice(0)).toEqual(["add example.com/v1 a", "add example.com/v1 b"]);

    await change(true, "v2");
    await admin.resource(v2, "default").patch("a", mergePatch({ metadata: { labels: { x: "" } } }));
    await pass(1);
    expect(log.splice(0)).toEqual(["update example.com/v1 a"]);

    await change(false, "v2");
    await pass(30);
    await expect
      .poll(() => old.health.lastError?.message)
      .toContain("it serves Widget in example.com/v2");
    await admin.resource(v2, "default").delete("b");
    await admin.resource(v2, "default").create({ metadata: { name: "c" } });
    await pass(30);
    expect(log).toEqual([]);
    const names = (informer: { list(): { metadata: { name: string } }[] }) =>
      informer.list().map(({ metadata }) => metadata.name);
    expect([names(old), names(young)]).toEqual([
      ["a", "b"],
      ["a", "c"],
    ]);

    await change(true, "v2");
    await expect
      .poll(async () => {
        await pass(5);
        return log;
      })
      .toEqual(["delete example.com/v1 b", "add example.com/v1 c"]);
  });

  it("R35: close() ends a hanging discovery at once", async () => {
    const source = new ScriptedSource({});
    source.descriptor = (options?: { signal?: AbortSignal }) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      });
    const { informer, settle } = observe(source);
    await settle();
    await informer.close();
    expect(informer.health.state).toBe("stopped");
  });
});

describe("on a real server", () => {
  it("an informer survives the removal of its CustomResourceDefinition and its return with another scope", {
    timeout: 90_000,
  }, async (test) => {
    const wanted = (await findAssets()) !== undefined;
    await using server = wanted ? await startRealServer() : undefined;
    if (server === undefined) {
      console.warn("SKIPPED: custom resources on a real server (`--project real` runs them)");
      test.skip("no real kube-apiserver here");
      return;
    }
    await using client = await connect(server.connectOptions());
    const definitions = client.resource(CustomResourceDefinition);
    await using informer = createInformer(client, kind, {
      backoff: { initialMs: 100, maxMs: 1_000 },
      failAfterMs: 60_000,
    });
    const log: string[] = [];
    informer.onChange({
      add: ({ metadata }) => log.push(`add ${metadata.namespace ?? ""}/${metadata.name}`),
      delete: ({ metadata }) => log.push(`delete ${metadata.namespace ?? ""}/${metadata.name}`),
    });
    const reaches = async (what: string) => {
      const deadline = Date.now() + 30_000;
      while (log.at(-1) !== what && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(log.at(-1)).toBe(what);
    };
    /** Retries until the kind is served: a new definition takes a moment. */
    const create = async (name: string, ...namespace: [] | [string]) => {
      for (;;) {
        try {
          return await client.resource(kind, ...namespace).create({ metadata: { name } });
        } catch (error) {
          if (!isNotFound(error) && !isConflict(error) && !(error instanceof KubeError)) {
            throw error;
          }
          await new Promise((resolve) => setTimeout(resolve, 200));
          contextOf(client).discovery.invalidate();
        }
      }
    };

    expect(informer.isSynced).toBe(false);
    await definitions.create(definition("Namespaced"));
    await create("first", "default");
    await informer.synced();
    await reaches("add default/first");

    await definitions.delete("widgets.example.com");
    await reaches("delete default/first");
    while ((await definitions.find("widgets.example.com")) !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await definitions.create(definition("Cluster"));
    await create("second");
    await reaches("add /second");
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["second"]);
    console.log(
      `custom resources: ${log.join(", ")}; restarts ${JSON.stringify(informer.health.restarts)}`,
    );
  });
});
