import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { Event } from "@typekube/api/events/v1";
import { defineController, defineKeyController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { describe, expect, test } from "vitest";
import { Shop } from "../shop.js";
import { clusterReached, connections } from "./connections.js";

const shop = (name: string, image: string) => ({ metadata: { name }, spec: { image } });

describe.each(connections)("controllers whose client reaches the server %s", (connection) => {
  test("CR1: created, changed and deleted objects run, and no error is logged", async () => {
    await using cluster = await clusterReached(connection);
    const seen: string[] = [];
    const record = defineKeyController(Shop, {
      reconcileKey(key, run) {
        seen.push(`${key} ${run.get(Shop, run.name)?.spec?.image}`);
      },
    });
    await cluster.start(record);
    const shops = cluster.client.resource(Shop, "default");
    await shops.create(shop("tea", "1"));
    await expect.poll(() => seen).toContain("default/tea 1");
    await shops.patch("tea", mergePatch({ spec: { image: "2" } }));
    await expect.poll(() => seen).toContain("default/tea 2");
    await shops.delete("tea");
    await expect.poll(() => seen).toContain("default/tea undefined");
    expect(cluster.complaints).toEqual([]);
  });

  test("CD1, CD4, CD6: a child is applied, undone when it is damaged, and pruned", async () => {
    await using cluster = await clusterReached(connection);
    const controller = defineController(Shop, {
      owns: [ConfigMap],
      async reconcile({ spec }, run) {
        if (spec?.image !== "none") {
          const child = { metadata: { name: run.name }, data: { image: spec?.image ?? "" } };
          await run.apply(ConfigMap, child);
          expect(run.get(ConfigMap, run.name)?.data).toEqual(child.data);
        }
      },
    });
    await cluster.start(controller);
    const shops = cluster.client.resource(Shop, "default");
    const configs = cluster.client.resource(ConfigMap, "default");
    const image = async () => (await configs.find("tea"))?.data?.["image"];
    await shops.create(shop("tea", "1"));
    await expect.poll(image).toBe("1");
    await configs.patch("tea", mergePatch({ data: { image: "damaged" } }));
    await expect.poll(image).toBe("1");
    await configs.delete("tea");
    await expect.poll(image).toBe("1");
    await shops.patch("tea", mergePatch({ spec: { image: "none" } }));
    await expect.poll(() => configs.find("tea")).toBe(undefined);
    expect(cluster.complaints).toEqual([]);
  });

  test("CR25: every write of a run arrives, and is read at once", async () => {
    await using cluster = await clusterReached(connection);
    const read: unknown[] = [];
    const metadata = { name: "c" };
    const controller = defineController(Shop, {
      reads: [ConfigMap],
      async reconcile(_, run) {
        const data = () => run.get(ConfigMap, "c")?.data;
        const created = await run.create(ConfigMap, { metadata, data: { a: "1" } });
        read.push(data());
        const patched = await run.patch(ConfigMap, "c", mergePatch({ data: { b: "2" } }));
        read.push(data());
        await run.update(ConfigMap, { ...patched, data: { c: "3" } });
        read.push(data());
        await run.createOrUpdate(ConfigMap, { metadata }, (draft) => {
          draft.data = { d: "4" };
        });
        read.push(data(), (await run.live.get(ConfigMap, "c"))?.data);
        await run.delete(ConfigMap, "c", { preconditions: { uid: created.metadata.uid } });
        read.push(data(), await run.live.get(ConfigMap, "c").catch(({ code }) => code));
      },
    });
    await cluster.start(controller);
    await cluster.client.resource(Shop, "default").create(shop("tea", "1"));
    await expect.poll(() => read.length).toBe(7);
    const last = { d: "4" };
    expect(read.slice(0, 5)).toEqual([{ a: "1" }, { a: "1", b: "2" }, { c: "3" }, last, last]);
    expect(read[5]).toBe(undefined);
    expect(read[6]).toSatisfy((found) => found === undefined || found === "NotFound");
    expect(cluster.complaints).toEqual([]);
  });

  test("CS1, CE1: a status, a condition and an event are written", async () => {
    await using cluster = await clusterReached(connection);
    const controller = defineController(Shop, {
      failureEvents: false,
      reconcile(object, run) {
        run.events.normal(object, "Seen", `image ${object.spec?.image}`);
        return object.spec?.image === "bad"
          ? run.notReady("BadImage")
          : { status: { url: `https://${object.spec?.image}` } };
      },
    });
    await cluster.start(controller);
    const shops = cluster.client.resource(Shop, "default");
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;
    await shops.create(shop("tea", "1"));
    await expect.poll(async () => (await shops.get("tea")).status?.url).toBe("https://1");
    // Before the image changes: an event shows the newest of its notes.
    const events = async () =>
      (await cluster.client.resource(Event, "default").list()).items.map(({ note }) => note);
    await expect.poll(events).toContain("image 1");
    const conditions = [{ ...ready, lastTransitionTime: "2026-01-01T00:00:00Z" }];
    await shops.status.patch("tea", mergePatch({ status: { conditions } }));
    await shops.patch("tea", mergePatch({ spec: { image: "bad" } }));
    const reasons = async () =>
      (await shops.get("tea")).status?.conditions?.map(({ reason }) => reason);
    await expect.poll(reasons).toEqual(["BadImage"]);
    expect(cluster.complaints).toEqual([]);
  });

  test("CF1, CF4: a finalizer is added, its clean-up runs once, and the object goes", async () => {
    await using cluster = await clusterReached(connection);
    const cleaned: string[] = [];
    const controller = defineController(Shop, {
      owns: [Secret],
      async reconcile(_, run) {
        await run.apply(Secret, { metadata: { name: run.name }, stringData: { key: "1" } });
      },
      finalize(_, run) {
        cleaned.push(run.name);
      },
    });
    await cluster.start(controller);
    const shops = cluster.client.resource(Shop, "default");
    const secrets = cluster.client.resource(Secret, "default");
    await shops.create(shop("tea", "1"));
    await expect.poll(() => secrets.find("tea")).toBeDefined();
    expect((await shops.get("tea")).metadata.finalizers).toHaveLength(1);
    await shops.delete("tea");
    await expect.poll(() => shops.find("tea")).toBe(undefined);
    await expect.poll(() => secrets.find("tea")).toBe(undefined);
    expect(cleaned).toEqual(["tea"]);
    expect(cluster.complaints).toEqual([]);
  });

  test("CL7, CL11: one of two managers leads, and the other one takes over when it stops", async () => {
    await using cluster = await clusterReached(connection);
    const runs: string[] = [];
    const record = (who: string) =>
      defineController(Shop, { reconcile: (_, run) => void runs.push(`${who} ${run.name}`) });
    const leaderElection = { name: "shops", namespace: "default" };
    const first = await cluster.start(record("a"), { leaderElection });
    const shops = cluster.client.resource(Shop, "default");
    await shops.create(shop("tea", "1"));
    await expect.poll(() => runs).toEqual(["a tea"]);
    await cluster.start(record("b"), { leaderElection });
    await first.stop();
    await expect.poll(() => runs).toEqual(["a tea", "b tea"]);
    const lease = await cluster.client.resource(Lease, "default").get("shops");
    expect(lease.spec?.leaseTransitions).toBe(1);
    expect(cluster.complaints).toEqual([]);
  });
});
