import assert from "node:assert/strict";
import { Job } from "@typekube/api/batch/v1";
import { Pod } from "@typekube/api/core/v1";
import { conditions } from "typekube";
import { deployment } from "../../support/objects.js";
import { type ControllerCase, listUntil } from "./controller-case.js";

/** Cases for Jobs. */
export const jobs: readonly ControllerCase[] = [
  {
    id: "job-complete",
    name: "a Job creates up to parallelism pods and is Complete once enough have succeeded",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Job, namespace);
      const spec = deployment("any").spec?.template.spec;
      await all.create({
        metadata: { name: "sum" },
        spec: {
          completions: 2,
          parallelism: 2,
          template: {
            spec: { ...spec, containers: spec?.containers ?? [], restartPolicy: "Never" },
          },
        },
      });
      const pods = await listUntil(context, Pod, ({ length }) => length === 2);
      for (const { metadata } of pods) {
        assert.deepEqual(metadata.finalizers, ["batch.kubernetes.io/job-tracking"]);
        assert.equal(metadata.generateName, "sum-");
        assert.equal(metadata.labels?.["batch.kubernetes.io/job-name"], "sum");
        assert.equal(metadata.labels?.["job-name"], "sum");
      }
      const running = await all.waitFor("sum", (found) => found?.status?.active === 2, { signal });
      assert.ok(running?.status?.startTime);
      for (const { metadata } of pods) {
        await client
          .resource(Pod, namespace)
          .status.apply(
            metadata.name,
            { status: { phase: "Succeeded" } },
            { fieldManager: "kubelet" },
          );
      }
      const done = await all.waitFor("sum", conditions.complete(), { signal });
      assert.equal(done?.status?.succeeded, 2);
      assert.ok(done.status.completionTime);
      assert.deepEqual(
        done.status.conditions?.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
        [
          "SuccessCriteriaMet CompletionsReached Reached expected number of succeeded pods",
          "Complete CompletionsReached Reached expected number of succeeded pods",
        ],
      );
      assert.deepEqual(done.status.uncountedTerminatedPods, {});
      await listUntil(context, Pod, (items) =>
        items.every(({ metadata }) => !metadata.finalizers?.length),
      );
    },
  },
  {
    id: "job-failed",
    name: "a Job fails once more pods have failed than backoffLimit allows",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Job, namespace);
      const spec = deployment("any").spec?.template.spec;
      await all.create({
        metadata: { name: "sum" },
        spec: {
          backoffLimit: 0,
          template: {
            spec: { ...spec, containers: spec?.containers ?? [], restartPolicy: "Never" },
          },
        },
      });
      const [failing] = await listUntil(context, Pod, ({ length }) => length === 1);
      await client
        .resource(Pod, namespace)
        .status.apply(
          failing?.metadata.name ?? "",
          { status: { phase: "Failed" } },
          { fieldManager: "kubelet" },
        );
      const done = await all.waitFor(
        "sum",
        (found) => found?.status?.conditions?.some(({ type }) => type === "Failed") === true,
        { signal },
      );
      assert.equal(done?.status?.failed, 1);
      assert.deepEqual(
        done.status.conditions?.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
        [
          "FailureTarget BackoffLimitExceeded Job has reached the specified backoff limit",
          "Failed BackoffLimitExceeded Job has reached the specified backoff limit",
        ],
      );
    },
  },
];
