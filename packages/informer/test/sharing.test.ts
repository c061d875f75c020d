import type { KubeObject, Live } from "@typekube/api";
import { Namespace, Node, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import { createInformer, type InformerOptions } from "@typekube/informer";
import type { Client } from "typekube";
import { describe, expect, it, onTestFinished } from "vitest";

async function serve(pods = 2) {
  const api = await startApiServer({ clock: "virtual" });
  const client = await api.client();
  onTestFinished(() => api.close());
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  const create = (name: string, labels: Record<string, string> = {}) =>
    client.resource(Pod, "prod").create({
      metadata: { name, labels },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
  for (let i = 0; i < pods; i++) {
    await create(`p${i}`);
  }
  const settle = () => api.clock.advance(0);
  return { api, client, create, settle };
}

const podsOf = (client: Client, options: InformerOptions<Pod> = {}) =>
  createInformer(client, Pod, { ...options, view: "full" });

describe("informers of the same kind and options", () => {
  it("share one watch, which ends with the last of them", async () => {
    const { api, client, create, settle } = await serve();
    const first = podsOf(client, { namespace: "prod" });
    const second = podsOf(client, { namespace: "prod", failAfterMs: 1 });
    await Promise.all([first.synced(), second.synced()]);
    expect(api.openWatches).toBe(1);
    expect(first.get("prod/p0")).toBe(second.get("prod/p0"));

    await first.close();
    expect(api.openWatches).toBe(1);
    expect([first.health.state, second.health.state]).toEqual(["stopped", "watching"]);
    const { metadata } = await create("p9");
    await settle();
    await second.caughtUpTo(metadata.resourceVersion);
    expect(second.get("prod/p9")).toBeDefined();

    await second.close();
    expect(api.openWatches).toBe(0);
    const third = podsOf(client, { namespace: "prod" });
    await third.synced();
    expect([api.openWatches, third.list().length]).toEqual([1, 3]);
    await third.close();
  });

  it("share a watch between clients that differ only in write options", async () => {
    const { api, client } = await serve();
    const other = client.with({ fieldManager: "me" });
    await using a = podsOf(client);
    await using b = podsOf(other);
    await using c = podsOf(client.with({ encoding: "json" }));
    await Promise.all([a.synced(), b.synced(), c.synced()]);
    expect(api.openWatches).toBe(2);
  });

  const transform: InformerOptions<Pod>["transform"] = (pod) => pod;
  const different: readonly [string, InformerOptions<Pod>][] = [
    ["a namespace", { namespace: "prod" }],
    ["a field selector", { fieldSelector: "spec.nodeName=n1" }],
    ["a label selector", { labelSelector: "app=web" }],
    ["managedFields", { managedFields: true }],
    ["an encoding", { encoding: "json" }],
    ["a transform", { transform }],
    ["frozen objects", { freeze: true }],
    ["a watch of its own", { shared: false }],
  ];
  it.each(different)("do not share when one has %s", async (_, options) => {
    const { api, client } = await serve(1);
    await using plain = podsOf(client);
    await using special = podsOf(client, options);
    await Promise.all([plain.synced(), special.synced()]);
    expect(api.openWatches).toBe(2);
  });

  it("do not share with one that has Infinity for a limit: that is not the default", async () => {
    const { api, client } = await serve();
    const never = Number.POSITIVE_INFINITY;
    const all = [{}, { idleMs: never }, { backoff: { resetAfterMs: never } }].map((options) =>
      podsOf(client, options),
    );
    await Promise.all(all.map((informer) => informer.synced()));
    expect(api.openWatches).toBe(3);
    await Promise.all(all.map((informer) => informer.close()));
  });

  it("do not share with one whose kind is given by name, which follows discovery", async () => {
    const { api, client } = await serve();
    await using byDescriptor = podsOf(client);
    await using byNames = createInformer(client, { apiVersion: "v1", kind: "Pod" });
    await using again = createInformer(client, { apiVersion: "v1", kind: "Pod" });
    await Promise.all([byDescriptor.synced(), byNames.synced(), again.synced()]);
    expect(api.openWatches).toBe(2);
    expect(byNames.list()).toEqual(byDescriptor.list());
    expect(again.list()[0]).toBe(byNames.list()[0]);
  });

  it("with a transform, do not share with one that has shareEqual, whose parts are frozen", async () => {
    const { client } = await serve();
    const transform = (object: Live<Pod>) => object;
    await using plain = podsOf(client, { transform });
    await using same = podsOf(client, { transform, shareEqual: false });
    await using frozen = podsOf(client, { transform, shareEqual: true });
    await Promise.all([plain.synced(), same.synced(), frozen.synced()]);
    const cached = plain.get("prod/p0");
    expect([same.get("prod/p0") === cached, frozen.get("prod/p0") === cached]).toEqual([
      true,
      false,
    ]);
  });

  it("share when a selector is only written in another form", async () => {
    const { api, client } = await serve(1);
    await using a = podsOf(client, { labelSelector: "app=web", transform });
    await using b = podsOf(client, { labelSelector: { app: "web" }, transform });
    await Promise.all([a.synced(), b.synced()]);
    expect(api.openWatches).toBe(1);
  });

  it("are not affected by later changes to the options", async () => {
    const { client, create, settle } = await serve(0);
    const a = await create("a", { app: "a" });
    await create("b", { app: "b" });
    const options = { namespace: "prod", labelSelector: { app: "a" } };
    await using first = createInformer(client, Pod, options);
    options.labelSelector.app = "b";
    await using second = createInformer(client, Pod, options);
    options.namespace = "default";
    await Promise.all([first.synced(), second.synced()]);
    const names = () => first.list().map(({ metadata }) => metadata.name);
    expect([names(), second.list().length]).toEqual([["a"], 1]);
    first.mutated({ ...a, metadata: { ...a.metadata, name: "c", resourceVersion: "9999" } });
    expect(names()).toEqual(["a", "c"]);
    await settle();
    const shard = { index: 0, count: 1 };
    const moving = first.reshard(shard);
    shard.count = 2;
    await moving;
    expect([names(), first.shard]).toEqual([["a", "c"], { index: 0, count: 1 }]);
  });

  it("I1: have their own indexes on one cache, even under the same name", async () => {
    const { api, client, create, settle } = await serve(0);
    await create("a", { app: "web", tier: "1" });
    const byApp = (pod: KubeObject) => [pod.metadata?.labels?.["app"] ?? "none"];
    const byTier = (pod: KubeObject) => [pod.metadata?.labels?.["tier"] ?? "none"];
    const first = createInformer(client, Pod, { indexes: { it: byApp } });
    const second = createInformer(client, Pod, { indexes: { it: byTier, app: byApp } });
    await Promise.all([first.synced(), second.synced()]);
    expect(api.openWatches).toBe(1);
    await first.close();
    await create("b", { app: "web", tier: "2" });
    await settle();
    const names = (pods: readonly KubeObject[]) => pods.map(({ metadata }) => metadata?.name);
    expect(names(second.by.it("2"))).toEqual(["b"]);
    expect(names(second.by.app("web"))).toEqual(["a", "b"]);
    await second.close();
  });

  it("I1: errors of an index function go to the informers that added it, also those for cached objects", async () => {
    const { client, create, settle } = await serve(1);
    const errors: string[] = [];
    const noting =
      (name: string) =>
      ({ rawMessage }: KubeError) =>
        errors.push(`${name}: ${rawMessage}`);
    const picky = ({ metadata }: Live<Pod>): string[] => {
      throw new Error(`not ${metadata.name}`);
    };
    await using first = podsOf(client, { onError: noting("first") });
    await first.synced();
    const options = { onError: noting("second"), indexes: { picky, same: picky } };
    const second = createInformer(client, Pod, options);
    await using third = podsOf(client, { onError: noting("third") });
    const added = third.addIndex("picky", picky);
    await create("p1");
    await settle();
    added.remove();
    await create("p2");
    await settle();
    await second.close();
    await create("p3");
    await settle();
    expect(errors).toEqual(["second: not p0", "second: not p1", "third: not p1", "second: not p2"]);
    expect([first.list().length, first.health.lastError]).toEqual([4, undefined]);
  });

  it("I15: a handler of a second informer gets the cached objects first, and syncs on its own", async () => {
    const { client } = await serve();
    await using first = podsOf(client);
    await first.synced();
    await using second = podsOf(client);
    const seen: string[] = [];
    const handle = second.onChange({
      add: ({ metadata }, { initial }) => seen.push(`${metadata.name} ${initial}`),
    });
    await handle.synced();
    expect(seen).toEqual(["p0 true", "p1 true"]);
  });

  it("I16, I18: closing one ends its handlers and iterators, not those of the other", async () => {
    const { client, create, settle } = await serve(0);
    const first = podsOf(client);
    const second = podsOf(client);
    await first.synced();
    const seen: string[] = [];
    first.onChange({ add: () => seen.push("first") });
    second.onChange({ add: () => seen.push("second") });
    const cursor = first.changes();
    await first.close();
    expect((await cursor.next()).done).toBe(true);
    await create("a");
    await settle();
    expect(seen).toEqual(["second"]);
    await second.close();
  });

  it("I16: a call in progress can look objects up while its informer closes and another continues", async () => {
    const { client, settle } = await serve(1);
    const first = createInformer(client, Pod, { indexes: { all: () => ["x"] } });
    await using second = podsOf(client);
    await second.synced();
    let release = () => {};
    const found: number[] = [];
    first.onChange({
      add: async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        found.push(first.by.all("x").length, first.list().length);
      },
    });
    await settle();
    const closing = first.close();
    release();
    await closing;
    expect(found).toEqual([1, 1]);
  });

  it("I7: an error goes to each of them", async () => {
    const { api, client, settle } = await serve(0);
    api.fault({ verb: "list", resource: "pods", status: 403, times: 5 });
    api.fault({ verb: "watch", resource: "pods", status: 403, times: 5 });
    const received: string[] = [];
    const first = podsOf(client, { onError: () => received.push("first") });
    const second = podsOf(client, {
      onError: () => {
        received.push("second");
        throw new Error("the callback itself fails");
      },
    });
    await settle();
    expect(received.slice(0, 2)).toEqual(["first", "second"]);
    expect(first.health.lastError).toMatchObject({ code: "Forbidden" });
    expect(first.health.lastError).toBe(second.health.lastError);
    // The watcher retries until it succeeds.
    await api.clock.advance(300_000);
    expect([first.isSynced, second.isSynced, received.length]).toEqual([true, true, 20]);
    await Promise.all([first.close(), second.close()]);
  });

  it("I8, N16: closing twice, at the same time or before anything happened, ends it once", async () => {
    const { api, client } = await serve(0);
    const informer = podsOf(client);
    await Promise.all([informer.close(), informer.close()]);
    await informer.close();
    expect(api.openWatches).toBe(0);
    expect(informer.health.state).toBe("stopped");
    expect(() => informer.changes()).toThrow(expect.objectContaining({ code: "Closed" }));
  });

  it("one that starts while the last one closes gets its own watch", async () => {
    const { api, client } = await serve(1);
    const first = podsOf(client);
    await first.synced();
    const closing = first.close();
    await using second = podsOf(client);
    await second.synced();
    await closing;
    expect([api.openWatches, second.list().length]).toEqual([1, 1]);
  });

  it("I14: each has stopped as its last state, once, however it ends and whether others continue or not", async () => {
    const { api, client } = await serve();
    const states: string[][] = [[], [], []];
    const stop = new AbortController();
    const open = (of: number, signal?: AbortSignal) =>
      podsOf(client, { signal, onState: ({ name }) => states[of]?.push(name) });
    const [first, second, third] = [open(0), open(1, stop.signal), open(2)];
    await Promise.all([first.synced(), second.synced(), third.synced()]);
    const openedAt = third.health.since;
    await api.clock.advance(1_000);
    await first.close();
    await first.close();
    await api.clock.advance(1_000);
    expect([first.health.since, third.health.since]).toEqual([openedAt + 1_000, openedAt]);
    stop.abort();
    await second.close();
    await client.close();
    await third.close();
    expect(
      states.map((received) => received.filter((state) => state === "stopped").length),
    ).toEqual([1, 1, 1]);
    expect(states.map((received) => received.at(-1))).toEqual(["stopped", "stopped", "stopped"]);
  });

  it("a signal ends only its own informer", async () => {
    const { api, client } = await serve(1);
    const controller = new AbortController();
    const first = podsOf(client, { signal: controller.signal });
    await using second = podsOf(client);
    await second.synced();
    controller.abort();
    expect(first.health.state).toBe("stopped");
    expect([api.openWatches, second.health.state]).toEqual([1, "watching"]);
  });
});

describe("waiting for several informers (I26)", () => {
  it("I26: waiting for several informers rejects with the last failure; isSynced shows which one is late", async () => {
    const { api, client } = await serve();
    await expect(Promise.all([])).resolves.toEqual([]);
    await using pods = podsOf(client);
    api.fault({ verb: "watch", resource: "nodes", status: 403, times: 1_000 });
    api.fault({ verb: "list", resource: "nodes", status: 403, times: 1_000 });
    const nodes = createInformer(client, Node, { failAfterMs: 20_000 });
    const informers = { pods, nodes };
    const outcome = Promise.all([pods.synced(), nodes.synced()]).catch((error: unknown) => error);
    await api.clock.advance(20_000);
    // The rejection is the last failure.
    expect(await outcome).toMatchObject({ code: "Forbidden" });
    const late = Object.entries(informers).filter(([, informer]) => !informer.isSynced);
    expect(late.map(([name]) => name)).toEqual(["nodes"]);

    const stop = new AbortController();
    const waiting = nodes.synced({ signal: stop.signal, timeoutMs: 1e9 }).catch((error) => error);
    stop.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ message: "enough" });
    await nodes.close();
  });

  it("I26: the timeout error of an informer without any response names its resource", async () => {
    const { api, client } = await serve();
    api.fault({ resource: "nodes", hang: true, times: 100 });
    await using pods = podsOf(client);
    await using nodes = createInformer(client, Node);
    const outcomes = Promise.allSettled([pods, nodes].map((one) => one.synced({ timeoutMs: 500 })));
    await api.clock.advance(500);
    expect(await outcomes).toMatchObject([
      { status: "fulfilled" },
      {
        reason: {
          code: "DeadlineExceeded",
          message: expect.stringContaining("the informer of nodes has not synced yet"),
        },
      },
    ]);
  });
});
