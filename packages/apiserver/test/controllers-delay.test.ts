import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { runPods, stage } from "@typekube/apiserver/controllers";
import { call, deployments, type Json, pods } from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";
import { containers, items, start, workload } from "./controlled-server.js";

const settings = { controllers: true, stages: runPods({ readyAfterMs: 0 }) };

describe("controllers react a moment after a change", () => {
  it.each(["real", "virtual"] as const)(
    "an update with the resourceVersion of the create succeeds over a socket, on a %s clock",
    async (clock) => {
      await using api = await startApiServer({ ...settings, clock });
      const { server } = await api.listen({ tls: false, anonymous: true });
      const send = async (method: string, path: string, body: object): Promise<Json> => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(server + path, {
          method,
          headers,
          body: JSON.stringify(body),
        });
        return await response.json();
      };
      // Loads the code for the first writes of these kinds.
      await send("POST", `${deployments}?dryRun=All`, workload("web", 1));
      await send("POST", `${pods}?dryRun=All`, { metadata: { name: "p" }, spec: { containers } });
      for (const [path, body] of [
        [deployments, workload("web", 1)],
        [pods, { metadata: { name: "p" }, spec: { containers } }],
      ] as const) {
        const { metadata, ...rest } = await send("POST", path, body);
        const labelled = { ...metadata, labels: { a: "b" } };
        const updated = await send("PUT", `${path}/${metadata.name}`, {
          ...rest,
          metadata: labelled,
        });
        expect(updated.metadata, JSON.stringify(updated)).toMatchObject({ labels: { a: "b" } });
      }
      await api.settled();
      expect((await call(api, "GET", pods)).body.items).toHaveLength(2);
    },
  );

  it("settled() lets the controllers' delays pass, and no more time than they need", async () => {
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

  it("settled() lets no time pass for a stage with its own delay", async () => {
    const late = stage(ConfigMap, { after: 10, set: () => ({ data: { late: "yes" } }) });
    await using api = await start({ stages: [late] });
    const begun = api.clock.now();
    await api.settled();
    await using client = await api.client({ namespace: "default" });
    await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    await api.settled();
    expect(api.clock.now()).toBe(begun);
  });

  it("settled() waits for controllers on a real clock", async () => {
    await using api = await startApiServer(settings);
    await call(api, "POST", deployments, workload("web", 2));
    await api.settled();
    const [{ status }] = (await call(api, "GET", deployments)).body.items;
    expect(status.availableReplicas).toBe(2);
  });
});
