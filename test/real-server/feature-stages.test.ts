import assert from "node:assert/strict";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect } from "typekube";
import { describe, test } from "vitest";
import { featureGateFacts } from "../../packages/apiserver/src/generated/feature-gates.js";

const assets = await findAssets();
const stages: Readonly<Record<string, string>> = { a: "ALPHA", b: "BETA", d: "DEPRECATED", g: "" };

describe.skipIf(assets === undefined)("features of a real server", () => {
  test("GAT1-GAT16: has exactly the gates that the embedded server knows, in the same stages", async () => {
    await using server = await startRealServer();
    assert.ok(server);
    await using client = await connect(server.connectOptions());
    const metrics = await client.raw({ path: "/metrics", headers: { accept: "text/plain" } });
    const received = (await metrics.text()).matchAll(
      /^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\}/gm,
    );
    const real = new Map([...received].map(([, name = "", stage = ""]) => [name, stage]));
    // Each stands for all gates of a stage.
    real.delete("AllAlpha");
    real.delete("AllBeta");
    const known = Object.entries(featureGateFacts).map(
      ([name, history]) => [name, stages[/([abdg])[-+]!?$/.exec(history)?.[1] ?? ""]] as const,
    );
    assert.deepEqual(Object.fromEntries(known), Object.fromEntries(real));
  });

  test("MIG41, GRP9: the error about a disabled version names an alternative; other versions keep working", async () => {
    await using server = await startRealServer({
      flags: ["--runtime-config=autoscaling/v1=false,networking.k8s.io/v1beta1=true"],
    });
    assert.ok(server);
    await using client = await connect(server.connectOptions());
    const off = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler" };
    await assert.rejects(client.discovery.find(off), {
      code: "NotFound",
      hint: /it serves HorizontalPodAutoscaler in autoscaling\/v2/,
    });
    const on = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler" };
    assert.deepEqual((await client.resource(on, "default").list()).items, []);
  });
});
