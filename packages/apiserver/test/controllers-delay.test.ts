import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { runPods, stage, startApiServer } from "@typekube/apiserver";
import { describe, expect, it } from "vitest";
import { containers, items, start, workload } from "./controlled-server.js";
import { call, deployments, pods } from "./harness.js";

const settings = { controllers: true, stages: runPods({ readyAfterMs: 0 }) };

describe("controllers act a moment after a change", () => {
  it.each(["real", "virtual"] as const)(
    "an update with the resourceVersion of the create succeeds, on a %s clock",
    async (clock) => {
      await using api = await startApiServer({ ...settings, clock });
      await using client = await api.client({ namespace: "default" });
      const all = client.resource(Deployment, "default");
      const created = await all.create(workload("web", 1));
      const updated = await all.update({
        ...created,
        metadata: { ...created.metadata, labels: { a: "b" } },
      });
      const pod = await client
        .resource(Pod, "default")
        .create({ metadata: { name: "p" }, spec: { containers } });
      await client
        .resource(Pod, "default")
        .update({ ...pod, metadata: { ...pod.metadata, labels: { a: "b" } } });
      expect(updated.metadata.labels).toEqual({ a: "b" });
      await api.settled();
      expect(await items(api as never, pods)).toHaveLength(2);
    },
  );

  it("settled() lets their time pass, and no more of it than they need", async () => {
    await using api = await start(settings);
    await api.settled();
    const begun = api.clock.now();
    await call(api, "POST", deployments, workload("web", 2));
    await api.settled();
    const [{ status }] = await items(api, deployments);
    expect(status.availableReplicas).toBe(2);
    expect(api.clock.now() - begun).toBeLessThan(1_000);
    const rested = api.clock.now();
    await api.settled();
    expect(api.clock.now()).toBe(rested);
  });

  it("settled() lets no time pass for a stage with time of its own", async () => {
    const late = stage(ConfigMap, { after: 10, set: () => ({ data: { late: "yes" } }) });
    await using api = await start({ stages: [late] });
    const begun = api.clock.now();
    await api.settled();
    await using client = await api.client({ namespace: "default" });
    await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    await api.settled();
    expect(api.clock.now()).toBe(begun);
  });

  it("settled() waits for them on a real clock", async () => {
    await using api = await startApiServer(settings);
    await call(api, "POST", deployments, workload("web", 2));
    await api.settled();
    const [{ status }] = (await call(api, "GET", deployments)).body.items;
    expect(status.availableReplicas).toBe(2);
  });

  it("stages that go round in a circle are an error that says so", async () => {
    const flip = stage(ConfigMap, {
      set: ({ data }) => ({ data: { count: String(Number(data?.["count"] ?? 0) + 1) } }),
    });
    const thrown: unknown[] = [];
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => thrown.push(error));
    try {
      await using api = await start({ stages: [flip] });
      await using client = await api.client({ namespace: "default" });
      await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
      await api.settled();
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(thrown).toHaveLength(1);
      expect(String(thrown[0])).toMatch(
        /the stages of configmaps change default\/a again and again/,
      );
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of listeners) {
        process.on("uncaughtException", listener);
      }
    }
  });
});
