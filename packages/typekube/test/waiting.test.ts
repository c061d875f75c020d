import { startApiServer } from "@typekube/apiserver";
import { conditions } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Namespace, Node, Pod } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";

const spec = { containers: [{ name: "c", image: "i" }] };

async function setUp() {
  const api = await startApiServer({ clock: "virtual" });
  const client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  return {
    api,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
    },
  };
}

describe("waitFor of a resource client", () => {
  it("waits until an object exists, is ready and is deleted", async () => {
    await using server = await setUp();
    const pods = server.client.resource(Pod, "prod");
    const came = pods.waitFor("web-0", conditions.exists());
    await pods.create({ metadata: { name: "web-0" }, spec });
    expect((await came)?.metadata.name).toBe("web-0");
    const isReady = pods.waitFor("web-0", conditions.ready());
    const runs = pods.waitFor("web-0", conditions.jsonPath(".status.phase", "Running"));
    const reported = [{ type: "Ready", status: "True" }];
    await pods.status.apply("web-0", { status: { phase: "Running", conditions: reported } });
    expect((await isReady)?.status?.phase).toBe("Running");
    expect((await runs)?.kind).toBe("Pod");
    const gone = pods.waitFor("web-0", conditions.deleted());
    await pods.delete("web-0", { gracePeriodSeconds: 0 });
    expect(await gone).toBeUndefined();
    expect(server.api.openWatches).toBe(0);
  });

  it("takes a predicate of the kind, also for cluster-scoped and discovered resources", async () => {
    await using server = await setUp();
    const nodes = server.client.resource(Node);
    await nodes.create({ metadata: { name: "n1" }, spec: { unschedulable: true } });
    const node = await nodes.waitFor("n1", (one) => one?.spec?.unschedulable === true);
    expect(node?.metadata.name).toBe("n1");
    const dynamic = server.client.resource({ apiVersion: "v1", kind: "Node" });
    expect((await dynamic.waitFor("n1", conditions.exists()))?.kind).toBe("Node");
    const found = server.client.resource(await server.client.discovery.find("no"));
    expect((await found.waitFor("n1", conditions.exists()))?.metadata.name).toBe("n1");
  });

  it("keeps to its namespace, and reports the last state on timeout", async () => {
    await using server = await setUp();
    const { api, client } = server;
    await client.resource(Namespace).create({ metadata: { name: "other" } });
    await client.resource(Pod, "other").create({ metadata: { name: "web-0" }, spec });
    const waiting = client
      .resource(Pod, "prod")
      .waitFor("web-0", conditions.has("Ready"), { timeoutMs: 1_000 })
      .catch((error: unknown) => error);
    await api.clock.advance(1_000);
    expect(await waiting).toMatchObject({
      code: "DeadlineExceeded",
      rawMessage:
        'pods "web-0": condition Ready=True was not met (the object does not exist) within 1000 ms',
    });
  });

  it("ends with the signal's own reason, and works for a client with other defaults", async () => {
    await using server = await setUp();
    const deployments = server.client.with({ fieldManager: "me" }).resource(Deployment, "prod");
    const controller = new AbortController();
    const reason = new Error("enough");
    const waiting = deployments.waitFor("web", conditions.exists(), { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
