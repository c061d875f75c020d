import { runPods } from "@typekube/apiserver/controllers";
import { call, type Json, mergePatch, pods } from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";
import { containers, items, jobs, names, rest, start } from "./controlled-server.js";

it("ES22: an indexed Job numbers its pods, replaces failed ones after a back-off, and is deleted after its TTL", async () => {
  await using api = await start();
  await call(api, "POST", jobs, {
    metadata: { name: "sum" },
    spec: {
      completions: 3,
      parallelism: 2,
      completionMode: "Indexed",
      ttlSecondsAfterFinished: 60,
      template: { spec: { containers, restartPolicy: "Never" } },
    },
  });
  await rest(api);
  const index = ({ metadata }: Json) =>
    metadata.annotations["batch.kubernetes.io/job-completion-index"];
  const active = async () =>
    (await items(api, pods)).filter(({ status }) => status.phase === "Pending");
  const end = async (pod: Json, phase: string) =>
    call(api, "PATCH", `${pods}/${pod.metadata.name}/status`, { status: { phase } }, mergePatch);
  const [zero, one] = await active();
  expect([zero, one].map(index)).toEqual(["0", "1"]);
  expect(one.spec.hostname).toBe("sum-1");
  await end(zero, "Succeeded");
  await end(one, "Failed");
  await rest(api);
  const waiting = (await active()).map(index);
  await api.clock.advance(11_000);
  expect([waiting, (await active()).map(index)]).toEqual([[], ["1", "2"]]);
  for (const pod of await active()) {
    await end(pod, "Succeeded");
  }
  await rest(api);
  const { status } = (await call(api, "GET", `${jobs}/sum`)).body;
  expect([status.succeeded, status.failed, status.completedIndexes]).toEqual([3, 1, "0-2"]);
  await api.clock.advance(59_000);
  expect(await names(api, jobs)).toEqual(["sum"]);
  await api.clock.advance(2_000);
  expect(await names(api, jobs)).toEqual([]);
  expect(await names(api, pods)).toEqual([]);
});

it("ES22: a CronJob creates a Job each time its schedule is due, and keeps the newest", async () => {
  await using api = await start({ controllers: true, stages: runPods() });
  const cronJobs = "/apis/batch/v1/namespaces/default/cronjobs";
  const template = { spec: { containers, restartPolicy: "Never" } };
  const made = await call(api, "POST", cronJobs, {
    metadata: { name: "sum" },
    spec: { schedule: "*/10 * * * *", jobTemplate: { spec: { template } } },
  });
  expect(made.status).toBe(201);
  await api.clock.advance(599_000);
  expect(await items(api, jobs)).toEqual([]);
  await api.clock.advance(1_000);
  const [job] = await items(api, jobs);
  const minute = Date.UTC(2026, 0, 1, 0, 10) / 60_000;
  expect(job.metadata.name).toBe(`sum-${minute}`);
  expect(job.metadata.ownerReferences[0]).toMatchObject({ kind: "CronJob", name: "sum" });
  const { status } = (await call(api, "GET", `${cronJobs}/sum`)).body;
  expect(status).toMatchObject({
    active: [{ kind: "Job", name: job.metadata.name }],
    lastScheduleTime: "2026-01-01T00:10:00Z",
  });
  await api.clock.advance(3_610_000);
  expect(await names(api, jobs)).toEqual([4, 5, 6].map((n) => `sum-${minute + n * 10}`));
  const later = (await call(api, "GET", `${cronJobs}/sum`)).body.status;
  expect(later.lastScheduleTime).toBe("2026-01-01T01:10:00Z");
  await call(api, "PATCH", `${cronJobs}/sum`, { spec: { suspend: true } }, mergePatch);
  await api.clock.advance(3_600_000);
  expect(await items(api, jobs)).toHaveLength(3);
});

it("ES22: concurrency policy of CronJobs: Forbid waits, Replace deletes", async () => {
  for (const [concurrencyPolicy, minutes] of [
    ["Allow", [1, 2]],
    ["Forbid", [1]],
    ["Replace", [2]],
  ] as const) {
    await using api = await start();
    const template = { spec: { containers, restartPolicy: "Never" } };
    await call(api, "POST", "/apis/batch/v1/namespaces/default/cronjobs", {
      metadata: { name: "sum" },
      spec: { schedule: "* * * * *", concurrencyPolicy, jobTemplate: { spec: { template } } },
    });
    await api.clock.advance(125_000);
    const first = Date.UTC(2026, 0, 1) / 60_000;
    expect(await names(api, jobs)).toEqual(minutes.map((minute) => `sum-${first + minute}`));
  }
});
