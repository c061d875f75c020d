import { call, exchange } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const path = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const common = {
  scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
  maxReplicas: 3,
};
const target = { type: "Utilization", averageUtilization: 70 };
const metrics = [{ type: "Resource", resource: { name: "cpu", target } }];

describe("versions of an autoscaler", () => {
  test.each([
    ["v1", { targetCPUUtilizationPercentage: 70 }],
    ["v2", { metrics }],
  ])("created in %s, it is readable in both, as object, list and watch", async (version, spec) => {
    await using api = await startApiServer();
    const body = { metadata: { name: "a" }, spec: { ...common, ...spec } };
    expect((await call(api, "POST", path(version), body)).status).toBe(201);
    for (const [read, target] of [
      ["v1", { targetCPUUtilizationPercentage: 70 }],
      ["v2", { metrics }],
    ] as const) {
      for (const accept of ["application/json", "application/vnd.kubernetes.protobuf"]) {
        const one = await exchange(api, "GET", `${path(read)}/a`, { accept });
        const list = await exchange(api, "GET", path(read), { accept });
        const watch = `${path(read)}?watch=1&resourceVersion=0`;
        const [event] = (await exchange(api, "GET", watch, { accept, events: 1 })).value;
        for (const { spec: seen } of [one.value, list.value.items[0], event.object]) {
          const { targetCPUUtilizationPercentage, metrics } = seen;
          expect(JSON.parse(JSON.stringify({ targetCPUUtilizationPercentage, metrics }))).toEqual(
            target,
          );
        }
      }
    }
  });

  test.each([
    ["is not JSON", "{"],
    ["is not a list", '"x"'],
  ])("ignores a conversion annotation that %s", async (_name, text) => {
    await using api = await startApiServer();
    const annotations = { "autoscaling.alpha.kubernetes.io/metrics": text };
    const spec = { ...common, targetCPUUtilizationPercentage: 70 };
    await call(api, "POST", path("v1"), { metadata: { name: "a", annotations }, spec });
    const { body } = await call(api, "GET", `${path("v2")}/a`);
    expect(body.spec.metrics).toEqual(metrics);
    expect(body.metadata.annotations).toBeUndefined();
  });
});
