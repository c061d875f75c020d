import { ConfigMap, Namespace, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { HttpSend, WireWatchEvent } from "@typekube/core/internal";
import { createInformer, type SnapshotProgress } from "@typekube/informer";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { observe } from "../follow-helper.js";
import { list, pod, ScriptedSource } from "../scripted-source.js";
import { added, bookmark, errorEvent, failure, modified, status } from "../wire-events.js";

describe("health", () => {
  it("counts restarts by reason, and reports the lag", async () => {
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), list(9, pod("a", 1))],
      watches: [
        { batches: [[modified(pod("a", 2))]], outcome: "end" },
        failure(429, "TooManyRequests"),
        { batches: [[errorEvent(status(410, "Expired"))]] },
        { batches: [[bookmark(12)]] },
      ],
    });
    const reasons: string[] = [];
    const { informer, clock } = observe(source, { onRestart: (reason) => reasons.push(reason) });
    await clock.advance(10_000);
    expect(reasons).toEqual(["Ended", "TooManyRequests", "Expired"]);
    expect(informer.health).toMatchObject({
      state: "watching",
      synced: true,
      gaps: 1,
      objects: 1,
      queued: 0,
      restarts: { Ended: 1, TooManyRequests: 1, Expired: 1 },
      progress: undefined,
      stalledSince: undefined,
    });
    const { lagMs, lastContact } = informer.health;
    expect(lagMs).toBe(clock.now() - (lastContact ?? 0));
    await clock.advance(5_000);
    expect(informer.health.lagMs).toBe((lagMs ?? 0) + 5_000);
    await informer.close();
    expect(informer.health.state).toBe("stopped");
  });

  it.each([true, false])(
    "counts the bytes of lists and watches (streaming: %s)",
    async (streamingList) => {
      await using api = await startApiServer({ clock: "virtual" });
      let sent = 0;
      const send: HttpSend = async (request) => {
        const response = await api.send(request);
        const isRead = request.path.startsWith("/api/v1/pods");
        const body = (async function* () {
          for await (const chunk of response.body) {
            sent += isRead ? chunk.byteLength : 0;
            yield chunk;
          }
        })();
        return { ...response, body };
      };
      await using client = await connect({
        transport: { send, server: api.server },
        clock: api.clock,
      });
      const pods = client.resource(Pod, "default");
      const spec = { containers: [{ name: "c", image: "i" }] };
      await pods.create({ metadata: { name: "first" }, spec });
      await using informer = createInformer(client, Pod, { streamingList });
      expect(informer.health.bytesRead).toBe(0);
      await informer.synced();
      const ofSnapshot = informer.health.bytesRead;
      expect(ofSnapshot).toBeGreaterThan(100);
      expect(ofSnapshot).toBe(sent);
      const { metadata } = await pods.create({ metadata: { name: "second" }, spec });
      await informer.caughtUpTo(metadata.resourceVersion);
      expect(informer.health.bytesRead).toBeGreaterThan(ofSnapshot);
      expect(informer.health.bytesRead).toBe(sent);
      await client.resource(ConfigMap, "default").list();
      expect(informer.health.bytesRead).toBe(sent);
    },
  );

  it("reports the progress of a first sync: received and remaining objects", async () => {
    const api = await startApiServer({ clock: "virtual" });
    const client = await api.client();
    await client.resource(Namespace).create({ metadata: { name: "prod" } });
    for (let i = 0; i < 25; i++) {
      await client.resource(Pod, "prod").create({
        metadata: { name: `p${i}` },
        spec: { containers: [{ name: "c", image: "i" }] },
      });
    }
    const seen: SnapshotProgress[] = [];
    const informer = createInformer(client, Pod, {
      streamingList: false,
      onProgress: (progress) => {
        seen.push(progress);
        expect(informer.health.progress).toEqual(progress);
      },
    });
    await informer.synced();
    expect(seen.at(-1)).toEqual({ received: 25, remaining: 0 });
    expect(informer.health.progress).toBeUndefined();
    await informer.close();

    const streamed: SnapshotProgress[] = [];
    const second = createInformer(client, Pod, { onProgress: (one) => streamed.push(one) });
    await second.synced();
    expect(streamed.at(-1)).toEqual({ received: 25, remaining: 0 });
    await second.close();
    await api.close();
  });

  it("CHK7: reports the remaining items where the server does: after the page, and of the page itself", async () => {
    const items = Array.from({ length: 25 }, (_, i) => pod(`p${i}`, 1));
    const source = new ScriptedSource({});
    source.listParts = async function* ({ continue: token, limit = 0 }) {
      const from = Number(token ?? 0);
      const behind = Math.max(0, items.length - from - limit);
      const metadata = {
        resourceVersion: "5",
        ...(behind > 0 ? { continue: String(from + limit), remainingItemCount: behind } : {}),
      };
      const half = from + limit / 2;
      const list = { apiVersion: "v1", kind: "PodList", metadata };
      yield { ...list, items: items.slice(from, half) };
      yield { ...list, items: items.slice(half, from + limit) };
    };
    const seen: string[] = [];
    const { informer } = observe(source, {
      pageSize: 10,
      onProgress: ({ received, remaining }) => seen.push(`${received} + ${remaining}`),
    });
    await informer.synced();
    expect(seen).toEqual(["5 + 20", "10 + 15", "15 + 10", "20 + 5", "25 + undefined", "25 + 0"]);
    await informer.close();
  });

  it("counts from zero again when a snapshot has to start over", async () => {
    const source = new ScriptedSource({
      watches: [
        { batches: [[added(pod("a", 1)), added(pod("b", 1))]], outcome: "end" },
        { batches: [[added(pod("a", 1))], [bookmark(5, "true")]] },
      ],
    });
    const seen: number[] = [];
    const { informer, clock } = observe(source, {
      streamingList: true,
      onProgress: ({ received }) => seen.push(received),
    });
    await clock.advance(1_000);
    expect(seen).toEqual([2, 1, 1]);
    expect(informer.health.objects).toBe(1);
    await informer.close();
  });

  it("RV21, N10: leaves out and counts events older than the cached state", async () => {
    const source = new ScriptedSource({
      lists: [list(5, pod("a", 5))],
      watches: [
        {
          batches: [
            [modified(pod("a", 8)), modified(pod("a", 7)), added(pod("a", 8))],
            [{ type: "DELETED", object: pod("a", 6, { uid: "before" }) }],
          ],
        },
      ],
    });
    const { informer, settle, content } = observe(source);
    const versions: string[] = [];
    informer.onChange({ update: ({ metadata }) => versions.push(metadata.resourceVersion) });
    await settle();
    expect([content(), versions, informer.health.staleEvents]).toEqual([["a@8"], ["8"], 2]);
    await informer.close();
  });
});

describe("a snapshot in progress is not visible, so it does not make the cache more recent", () => {
  /** Creates an informer on a watch whose batches the test sends one by one. */
  async function dripping() {
    const source = new ScriptedSource({});
    let push = (_: readonly WireWatchEvent[]) => {};
    source.watchBatches = async function* ({ signal }) {
      for (;;) {
        yield await new Promise<readonly WireWatchEvent[]>((resolve, reject) => {
          push = resolve;
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      }
    };
    const bench = observe(source, { streamingList: true });
    const arrive = async (...batch: readonly WireWatchEvent[]) => {
      push(batch);
      await bench.settle();
    };
    await bench.settle();
    return { ...bench, arrive };
  }

  it("the lag grows over a gap until the new snapshot is complete, and then counts from its start", async () => {
    const { informer, clock, arrive } = await dripping();
    expect(informer.health.lagMs).toBeUndefined();
    await arrive(added(pod("a", 1)));
    expect([informer.health.lagMs, informer.health.lastContact]).toEqual([undefined, clock.now()]);
    await clock.advance(2_000);
    await arrive(bookmark(5, "true"));
    expect(informer.health.lagMs).toBe(2_000);
    await clock.advance(1_000);
    await arrive(bookmark(6));
    expect(informer.health.lagMs).toBe(0);
    await arrive(errorEvent(status(410, "Expired")));
    const { stalledSince } = informer.health;
    expect(stalledSince).toBe(clock.now());
    await clock.advance(5_000);
    for (let version = 10; version < 15; version++) {
      await arrive(added(pod(`b${version}`, version)));
      await clock.advance(9_000);
    }
    expect(informer.health).toMatchObject({ lagMs: 50_000, stalledSince, objects: 1 });
    expect(informer.health.lastContact).toBe(clock.now() - 9_000);
    await arrive(bookmark(20, "true"));
    expect(informer.health).toMatchObject({ lagMs: 45_000, stalledSince: undefined, objects: 5 });
    await arrive(added(pod("c", 21)));
    expect(informer.health.lagMs).toBe(0);
    await informer.close();
  });
});
