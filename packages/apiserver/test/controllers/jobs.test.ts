import { expect, it } from "vitest";
import { adjustJobPods } from "../../src/controllers/jobs/adjust-job-pods.js";
import { expireJob } from "../../src/controllers/jobs/jobs.js";
import { createOrphanPodController } from "../../src/controllers/jobs/orphan-pods.js";
import { tallyJob } from "../../src/controllers/jobs/sync-job.js";
import { createControllerContext, objectOf, podOf, template } from "./controller-context.js";

const finalizers = ["batch.kubernetes.io/job-tracking"];
const index = (value: number) => ({ "batch.kubernetes.io/job-completion-index": String(value) });

function indexedJob(status: object = {}) {
  const spec = { completions: 4, parallelism: 2, completionMode: "Indexed", template };
  return objectOf("batch/v1", "Job", "work", { spec, status }, { uid: "u" });
}

it("counts a pod while it has the tracking finalizer", () => {
  const done = { phase: "Succeeded" };
  const tally = tallyJob(indexedJob({ completedIndexes: "0", failed: 1 }), [
    podOf("a", { status: done }, { annotations: index(0) }),
    podOf("b", { status: done }, { annotations: index(2), finalizers }),
    podOf("c", { status: { phase: "Failed" } }, { annotations: index(3), finalizers }),
    podOf("d", { status: { phase: "Running" } }, { annotations: index(1), finalizers }),
  ]);
  expect(tally.counts).toEqual({ succeeded: 2, failed: 2, active: 1 });
  expect([...tally.done]).toEqual([0, 2]);
});

it("a new pod takes the lowest index that is neither done nor active", async () => {
  const context = await createControllerContext();
  const active = [podOf("b", {}, { annotations: index(1) })];
  const demand = { active, wanted: 2, done: new Set([0]), isWaiting: false };
  expect(adjustJobPods(context, indexedJob(), { ...demand, isWaiting: true })).toBe(1);
  expect(context.writer.list("pods", "")).toEqual([]);
  expect(adjustJobPods(context, indexedJob(), demand)).toBe(2);
  expect(context.writer.list("pods", "")).toMatchObject([{ metadata: { annotations: index(2) } }]);
});

it("a finished Job waits for its TTL", async () => {
  const context = await createControllerContext("jobs.batch");
  const lastTransitionTime = new Date(context.server.clock.now()).toISOString();
  const conditions = [{ type: "Complete", status: "True", lastTransitionTime }];
  const spec = { ttlSecondsAfterFinished: 60, template };
  const job = objectOf("batch/v1", "Job", "done", { spec, status: { conditions } });
  expect(expireJob(context, job)).toBe(60_000);
});

it("a pod whose Job is gone loses the tracking finalizer, one that belongs to a Job keeps it", async () => {
  const context = await createControllerContext("jobs.batch");
  const { writer } = context;
  const jobTemplate = {
    ...template,
    spec: { ...(template["spec"] as object), restartPolicy: "Never" },
  };
  const job = objectOf("batch/v1", "Job", "work", { spec: { template: jobTemplate } });
  const { uid = "" } = writer.create("jobs.batch", job).metadata;
  const controller = createOrphanPodController(context);
  for (const [name, owner] of [
    ["kept", uid],
    ["orphan", "gone"],
  ] as const) {
    const reference = { apiVersion: "batch/v1", kind: "Job", name: "work", uid: owner };
    const ownerReferences = [{ ...reference, controller: true }];
    writer.create("pods", podOf(name, {}, { finalizers, ownerReferences }));
    await controller.reconcile(`default/${name}`);
  }
  const held = writer.list("pods", "").filter(({ metadata }) => metadata.finalizers?.length);
  expect(held.map(({ metadata }) => metadata.name)).toEqual(["kept"]);
});
