import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { HttpRequest } from "@typekube/core/internal";
import {
  conditions,
  createInformer,
  follow,
  type InformerOptions,
  waitFor,
} from "@typekube/informer";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

const namespace = "default";
const objects = [
  "{kind: ConfigMap, apiVersion: v1, metadata: {name: a, namespace: default}}",
  "{kind: Secret, apiVersion: v1, metadata: {name: a, namespace: default}}",
].join("\n---\n");

type TestResponse = "ignores" | "refuses" | "streams";

/**
 * Creates a server that rejects, ignores or supports streaming lists, and records which resources they were requested
 * of.
 */
async function serverThat(response: TestResponse, load = objects) {
  const api = await startApiServer({
    clock: "virtual",
    // Later versions send the existing objects and an end bookmark even for a plain watch without a resourceVersion.
    version: "1.34",
    load,
    featureGates: { WatchList: response !== "refuses" },
  });
  const streamed: string[] = [];
  let current = response;
  const send = (request: HttpRequest) => {
    const url = new URL(request.path, "http://server");
    if (url.searchParams.has("sendInitialEvents")) {
      streamed.push(url.pathname.split("/").at(-1) ?? "");
      if (current === "ignores") {
        url.searchParams.delete("sendInitialEvents");
        url.searchParams.delete("resourceVersionMatch");
      }
    }
    return api.send({ ...request, path: url.pathname + url.search });
  };
  const another = () =>
    connect({ transport: { send, server: api.server }, clock: api.clock, namespace });
  const client = await another();
  return {
    api,
    client,
    another,
    streamed,
    /** Changes how the server responds from now on. One that rejects streaming lists does so from the start. */
    becomes(next: Exclude<TestResponse, "refuses">) {
      current = next;
    },
    /** Makes everything that follows the namespace relist. */
    async loseHistory(of: string) {
      const rule = { verb: "watch", resource: "configmaps", namespace: of, status: 410 };
      api.fault({ ...rule, when: ({ path }) => !path.includes("sendInitialEvents") });
      api.dropWatches();
      await api.clock.advance(2_000);
    },
    /** Runs one informer until it has synced. With `afterMs`, advances the clock by it, and expects no snapshot before. */
    async sync(options: InformerOptions<ConfigMap> = {}, afterMs = 0, of = client) {
      await using informer = createInformer(of, ConfigMap, { namespace, ...options });
      if (afterMs > 0) {
        await api.clock.advance(afterMs - 1);
        expect(informer.isSynced).toBe(false);
        await api.clock.advance(1);
      }
      await informer.synced();
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
    },
  };
}

describe("all that follow a resource share the knowledge that its server has no streaming lists", () => {
  it("W4, WAT16: a server that rejects them gets one request", async () => {
    await using server = await serverThat("refuses");
    await server.sync();
    await server.sync({ labelSelector: "x" });
    await server.sync({ shared: false });
    expect(server.streamed).toEqual(["configmaps"]);
  });

  it("W17, WAT16: when a server never ends them, only the first watcher waits for the end", async () => {
    await using server = await serverThat("ignores");
    await server.sync({}, 10_000);
    await server.sync();
    await server.sync({}, 0, server.client.with({ fieldManager: "me" }));
    await waitFor(server.client, ConfigMap, "a", conditions.exists(), { namespace });
    for await (const { type } of follow(server.client, ConfigMap, { namespace })) {
      if (type === "synced") {
        break;
      }
    }
    await using informer = createInformer(server.client, ConfigMap, { namespace });
    await informer.synced();
    await informer.reshard({ index: 0, count: 1 });
    expect(server.streamed).toEqual(["configmaps"]);
  });

  it("W17: a wait shorter than the deadline lists in time all the same", async () => {
    await using server = await serverThat("ignores");
    const options = { namespace, timeoutMs: 4_000 };
    const waiting = waitFor(server.client, ConfigMap, "a", conditions.exists(), options);
    await server.api.clock.advance(2_000);
    expect((await waiting)?.metadata.name).toBe("a");
  });

  it("W17: a short wait does not abandon a slow server that responds in time", async () => {
    await using server = await serverThat("streams");
    server.api.fault({ resource: "configmaps", delayMs: 3_000, times: Number.POSITIVE_INFINITY });
    const options = { namespace, timeoutMs: 4_000 };
    const waiting = waitFor(server.client, ConfigMap, "a", conditions.exists(), options);
    await server.api.clock.advance(4_000);
    expect((await waiting)?.metadata.name).toBe("a");
    expect([server.streamed.length, server.api.openWatches]).toEqual([1, 0]);
  });

  it("W17: for an empty collection, two consecutive responses without an event are needed", async () => {
    await using server = await serverThat("ignores", "");
    await server.sync({}, 10_000);
    await server.sync({}, 10_000);
    expect(server.streamed).toHaveLength(2);
    await server.sync();
    expect(server.streamed).toHaveLength(2);
  });

  it("WAT16: other resources, other clients and other users find out on their own", async () => {
    await using server = await serverThat("refuses");
    await server.sync();
    await using secrets = createInformer(server.client, Secret, { namespace });
    await secrets.synced();
    await using another = await server.another();
    await server.sync({}, 0, another);
    await server.sync({}, 0, server.client.with({ impersonate: { user: "somebody" } }));
    expect(server.streamed).toEqual(["configmaps", "secrets", "configmaps", "configmaps"]);
  });

  it("W4: a request rejected for another parameter says nothing about streaming lists", async () => {
    await using server = await serverThat("streams");
    await using refused = createInformer(server.client, ConfigMap, {
      namespace,
      fieldSelector: "spec.nothing=1",
    });
    await expect.poll(() => refused.health.lastError?.code).toBe("BadRequest");
    await server.sync();
    expect(server.streamed).toEqual(["configmaps", "configmaps"]);
  });

  it("W17: a short wait shares nothing: the end might have come", async () => {
    await using server = await serverThat("ignores");
    const options = { namespace, timeoutMs: 2_000 };
    const waiting = waitFor(server.client, ConfigMap, "a", conditions.exists(), options);
    await server.api.clock.advance(1_000);
    await waiting;
    server.becomes("streams");
    await server.sync();
    expect(server.streamed).toEqual(["configmaps", "configmaps"]);
  });

  it("W17: responses without an event are consecutive only if no other watcher completed one in between", async () => {
    await using server = await serverThat("ignores", "");
    await using first = createInformer(server.client, ConfigMap, { namespace });
    await server.api.clock.advance(10_000);
    server.becomes("streams");
    await server.sync({ shared: false });
    server.becomes("ignores");
    await server.loseHistory(namespace);
    await server.api.clock.advance(60_000);
    expect([server.streamed.length, first.health.state]).toEqual([3, "watching"]);
    server.becomes("streams");
    await server.sync({ shared: false });
    expect(server.streamed).toHaveLength(4);
  });

  it("WAT16: streaming lists that are found again stay known, although earlier watchers continue to list", async () => {
    await using server = await serverThat("streams");
    await using streams = createInformer(server.client, ConfigMap, { namespace });
    await streams.synced();
    server.becomes("ignores");
    await server.sync({ shared: false }, 10_000);
    await using lists = createInformer(server.client, ConfigMap, { namespace: "other" });
    await lists.synced();
    expect(server.streamed).toHaveLength(2);
    server.becomes("streams");
    for (const lost of [namespace, "other"]) {
      await server.loseHistory(lost);
    }
    expect([streams.health.gaps, lists.health.gaps, server.streamed.length]).toEqual([1, 1, 3]);
    await server.sync({ shared: false });
    expect(server.streamed).toHaveLength(4);
  });
});
