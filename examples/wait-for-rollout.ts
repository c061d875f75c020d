// Wait until a Deployment has rolled out: with a timeout whose error reports the last state, and with a failed rollout.
import { startApiServer } from "@typekube/apiserver";
import { conditions, KubeError, mergePatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const deployments = client.resource(Deployment, "default");
const labels = { app: "web" };
const containers = [{ name: "web", image: "registry.example/web" }];
await deployments.create({
  metadata: { name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  },
});

/** Waits as `kubectl rollout status` does. */
const rollOut = (timeoutMs: number) =>
  deployments.waitFor("web", conditions.rolledOut(), { timeoutMs });

/** Writes the status that a controller writes in a cluster. */
const report = (status: Deployment["status"]) =>
  deployments.status.patch("web", mergePatch({ status: { observedGeneration: 1, ...status } }));

await report({ replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 });
try {
  await rollOut(100);
} catch (error) {
  if (error instanceof KubeError) {
    console.log(error.message.replace(/resourceVersion \d+/, "resourceVersion N"));
  }
}

const waiting = rollOut(10_000);
await report({ readyReplicas: 2, availableReplicas: 2 });
console.log((await waiting)?.status?.availableReplicas, "available");

// A rollout that exceeds its progress deadline fails at once, without waiting for the timeout.
const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" } as const;
await report({ conditions: [{ ...late, message: 'ReplicaSet "web-1" has timed out' }] });
console.log(await rollOut(10_000).catch(({ message }: KubeError) => message));

// Prints:
// [DeadlineExceeded] deployments "web": rolledOut() was not met (it was last seen at resourceVersion N with 1 of 2 updated replicas available) within 100 ms
// 2 available
// [NeverMet] Deployment "web" exceeded its progress deadline: ReplicaSet "web-1" has timed out
