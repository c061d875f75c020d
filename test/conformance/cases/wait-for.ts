import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { Job } from "@typekube/api/batch/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Client, conditions, connect, mergePatch } from "typekube";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";

const job: Job = {
  metadata: { name: "a" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }],
      },
    },
  },
};

/** Returns the full client, with the waiting methods, on the same connection. */
function whole({ client }: ConformanceContext): Promise<Client> {
  const { send, server } = contextOf(client);
  return connect({ transport: { send, server } });
}

/** Cases for waiting until objects meet a condition. */
export const waits: readonly ConformanceCase[] = [
  {
    id: "wait-exists-deleted",
    name: "waitFor waits for an object to exist and to be deleted",
    async run(context) {
      const { namespace, signal } = context;
      const client = await whole(context);
      const configMaps = client.resource(ConfigMap, namespace);
      const came = configMaps.waitFor("a", conditions.exists(), { signal });
      await configMaps.create(configMap("a"));
      const { metadata } = (await came) ?? {};
      assert.equal(metadata?.name, "a");
      const gone = configMaps.waitFor("a", conditions.deleted(metadata.uid), { signal });
      await configMaps.delete("a");
      await configMaps.create(configMap("a"));
      const successor = await gone;
      assert.notEqual(successor?.metadata.uid, metadata.uid);
    },
  },
  {
    id: "wait-ready",
    name: "waitFor waits for a pod to be ready, and for a value in its status",
    async run(context) {
      const { namespace, signal } = context;
      const client = await whole(context);
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const isReady = pods.waitFor("a", conditions.ready(), { signal });
      const runs = pods.waitFor("a", conditions.jsonPath(".status.phase", "Running"), { signal });
      const reported = [{ type: "Ready", status: "True" }];
      await pods.status.apply("a", { status: { phase: "Running", conditions: reported } });
      assert.equal((await isReady)?.status?.phase, "Running");
      assert.equal((await runs)?.metadata.name, "a");
    },
  },
  {
    id: "wait-available",
    name: "waitFor waits for the newest generation of a Deployment to be available",
    async run(context) {
      const { namespace, signal } = context;
      const client = await whole(context);
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      const changed = await deployments.patch("a", mergePatch({ spec: { replicas: 2 } }));
      const generation = changed.metadata.generation ?? 0;
      assert.equal(generation, 2);
      const reported = [{ type: "Available", status: "True", reason: "Enough", message: "" }];
      const write = (observedGeneration: number) =>
        deployments.status.apply(
          "a",
          { status: { observedGeneration, conditions: reported } },
          { force: true },
        );
      await write(generation - 1);
      const waiting = deployments.waitFor("a", conditions.available(), { signal });
      await write(generation);
      assert.equal((await waiting)?.status?.observedGeneration, generation);
    },
  },
  {
    id: "wait-job-failed",
    name: "waitFor stops waiting for a Job that has failed",
    async run(context) {
      const { namespace, signal } = context;
      const client = await whole(context);
      const jobs = client.resource(Job, namespace);
      const created = await jobs.create(job);
      const ended = assert.rejects(
        jobs.waitFor("a", conditions.complete(), { signal }),
        (error) => {
          assert.ok(error instanceof KubeError);
          assert.equal(error.code, "NeverMet");
          assert.match(error.message, /Job "a" has Failed=True \(BackoffLimitExceeded\)/);
          return true;
        },
      );
      const startTime = created.metadata.creationTimestamp;
      const isTrue = { status: "True", reason: "BackoffLimitExceeded", message: "" };
      await jobs.status.patch(
        "a",
        mergePatch({
          status: {
            startTime,
            failed: 1,
            conditions: [
              { type: "FailureTarget", lastTransitionTime: startTime, ...isTrue },
              { type: "Failed", lastTransitionTime: startTime, ...isTrue },
            ],
          },
        }),
      );
      await ended;
    },
  },
];
