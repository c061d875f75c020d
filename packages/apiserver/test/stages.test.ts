import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { runPods, stage } from "@typekube/apiserver/controllers";
import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  mergePatch,
  pods,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";

const containers = [{ name: "main", image: "registry.k8s.io/pause:3.10" }];

async function read(api: Parameters<typeof call>[0], path: string): Promise<Json> {
  return (await call(api, "GET", path)).body;
}

describe("ES22: stages", () => {
  it("change an object after their delay, and not before", async () => {
    const count = stage(ConfigMap, {
      when: ({ data }) => data?.["phase"] === undefined,
      after: 2_000,
      set: (_, { now }) => ({ data: { phase: "done", now } }),
    });
    await using api = await startApiServer({ clock: "virtual", stages: [count] });
    await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { of: "mine" } });
    await api.clock.advance(1_999);
    expect((await read(api, `${configMaps}/a`)).data).toEqual({ of: "mine" });
    await api.clock.advance(1);
    const { data, metadata } = await read(api, `${configMaps}/a`);
    expect(data).toEqual({ of: "mine", phase: "done", now: "2026-01-01T00:00:02Z" });
    expect(metadata.managedFields.map(({ manager }: Json) => manager)).toContain("stages");
  });

  it("compute the delay once, when the condition begins to hold", async () => {
    let requested = 0;
    const count = stage(ConfigMap, {
      when: ({ data }) => data?.["phase"] === undefined,
      after: () => ++requested * 1_000,
      set: () => ({ data: { phase: "done" } }),
    });
    await using api = await startApiServer({ clock: "virtual", stages: [count] });
    await createConfigMaps(api, "a");
    await api.settled();
    const labels = { metadata: { labels: { a: "b" } } };
    await call(api, "PATCH", `${configMaps}/a`, labels, mergePatch);
    await api.clock.advance(1_000);
    expect([requested, (await read(api, `${configMaps}/a`)).data]).toEqual([1, { phase: "done" }]);
  });

  it("restart the delay when the condition did not hold throughout", async () => {
    const mark = stage(ConfigMap, {
      when: ({ metadata }) => metadata.labels?.["go"] === "yes",
      after: 2_000,
      set: () => ({ data: { seen: "yes" } }),
    });
    await using api = await startApiServer({ clock: "virtual", stages: [mark] });
    await createConfigMaps(api, "a");
    const label = (go: string) =>
      call(api, "PATCH", `${configMaps}/a`, { metadata: { labels: { go } } }, mergePatch);
    await label("yes");
    await api.clock.advance(1_500);
    await label("no");
    await api.clock.advance(100);
    await label("yes");
    await api.clock.advance(1_500);
    expect((await read(api, `${configMaps}/a`)).data).toBeUndefined();
    await api.clock.advance(500);
    expect((await read(api, `${configMaps}/a`)).data).toEqual({ seen: "yes" });
  });

  it("use the first matching stage, remove with null, and delete without a grace period", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      stages: [
        stage(ConfigMap, {
          when: ({ data }) => data?.["step"] === "1",
          set: () => ({ data: { step: "2", old: null } }),
        }),
        stage(ConfigMap, { when: ({ data }) => data?.["step"] === "2", after: 10, delete: true }),
      ],
    });
    await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { step: "1", old: "x" } });
    await api.settled();
    expect((await read(api, `${configMaps}/a`)).data).toEqual({ step: "2" });
    await api.clock.advance(10);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
  });

  it("are visible to watchers as ordinary writes", async () => {
    await using api = await startApiServer({ stages: runPods({ readyAfterMs: 0 }) });
    const seen = await watch(api, `${pods}?watch=1`);
    await call(api, "POST", pods, { metadata: { name: "a" }, spec: { containers } });
    expect(await seen.take(3)).toEqual(["ADDED a", "MODIFIED a", "MODIFIED a"]);
    await seen.stop();
  });
});

describe("ES22: runPods", () => {
  it("binds pods to a node and makes them ready after a delay", async () => {
    await using api = await startApiServer({ clock: "virtual", stages: runPods({ node: "n" }) });
    await call(api, "POST", pods, { metadata: { name: "a" }, spec: { containers } });
    await api.settled();
    const bound = await read(api, `${pods}/a`);
    expect([bound.spec.nodeName, bound.status.phase]).toEqual(["n", "Pending"]);
    await api.clock.advance(1_000);
    const { status, metadata } = await read(api, `${pods}/a`);
    expect(status.phase).toBe("Running");
    expect(status.podIP).toMatch(/^10\.244\.\d+\.\d+$/);
    expect(status.containerStatuses[0]).toMatchObject({ name: "main", ready: true });
    expect(status.conditions.map(({ type, status: is }: Json) => `${type} ${is}`).sort()).toEqual([
      "ContainersReady True",
      "Initialized True",
      "PodReadyToStartContainers True",
      "PodScheduled True",
      "Ready True",
    ]);
    expect(metadata.managedFields.at(-1).manager).toBe("kubelet");
  });

  it("removes deleted pods after stopAfterMs", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      stages: runPods({ stopAfterMs: 3_000 }),
    });
    await call(api, "POST", pods, { metadata: { name: "a" }, spec: { containers } });
    await api.clock.advance(2_000);
    await call(api, "DELETE", `${pods}/a`);
    await api.clock.advance(2_999);
    expect((await call(api, "GET", `${pods}/a`)).status).toBe(200);
    await api.clock.advance(1);
    expect((await call(api, "GET", `${pods}/a`)).status).toBe(404);
  });

  it("ends the pods of Jobs successfully, so that the Job completes", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      controllers: true,
      stages: runPods(),
    });
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const template = { spec: { containers, restartPolicy: "Never" } };
    await call(api, "POST", jobs, { metadata: { name: "j" }, spec: { completions: 2, template } });
    await api.clock.advance(5_000);
    const { status } = await read(api, `${jobs}/j`);
    expect(status.conditions.map(({ type }: Json) => type)).toEqual([
      "SuccessCriteriaMet",
      "Complete",
    ]);
    expect(status.succeeded).toBe(2);
  });

  it("ignores other pods, so that a custom stage can let them fail", async () => {
    const fails = stage(Pod, {
      when: ({ metadata, status }) =>
        metadata.labels?.["fails"] === "yes" && status?.phase === "Pending",
      set: () => ({ status: { phase: "Failed" } }),
    });
    await using api = await startApiServer({
      clock: "virtual",
      stages: [...runPods({ when: ({ metadata }) => metadata.labels?.["fails"] !== "yes" }), fails],
    });
    await call(api, "POST", pods, {
      metadata: { name: "a", labels: { fails: "yes" } },
      spec: { containers },
    });
    await api.clock.advance(5_000);
    const { status, spec } = await read(api, `${pods}/a`);
    expect([status.phase, spec.nodeName]).toEqual(["Failed", undefined]);
  });
});
