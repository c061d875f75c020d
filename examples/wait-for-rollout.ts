// Wait until a Deployment has rolled out, with a deadline whose error reports the last state.
import { startApiServer } from "@typekube/apiserver";
import { isNotFound, KubeError, mergePatch } from "typekube";
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

/**
 * Uses the conditions of `kubectl rollout status`. The server omits counts of 0, and available pods may still be old
 * ones.
 */
const rolledOut = (one: Deployment | undefined) => {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = one?.status ?? {};
  return (
    one?.status?.observedGeneration === one?.metadata?.generation &&
    updatedReplicas >= (one?.spec?.replicas ?? 1) &&
    replicas <= updatedReplicas &&
    availableReplicas >= updatedReplicas
  );
};

try {
  await deployments.waitFor("web", rolledOut, { timeoutMs: 100 });
} catch (error) {
  console.log(error instanceof KubeError && error.code, isNotFound(error));
}

const waiting = deployments.waitFor("web", rolledOut, { timeoutMs: 10_000 });
// Done by a controller in a cluster:
const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
await deployments.status.patch("web", mergePatch({ status: { observedGeneration: 1, ...counts } }));
console.log((await waiting)?.status?.availableReplicas, "available");

// Prints:
// DeadlineExceeded false
// 2 available
