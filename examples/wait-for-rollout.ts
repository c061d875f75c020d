// Wait until a Deployment has rolled out, with a deadline that says what was seen last.
import { startApiServer } from "@typekube/apiserver";
import { isNotFound, KubeError, merge } from "typekube";
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

/** As `kubectl rollout status` sees it. */
const rolledOut = (one: Deployment | undefined) =>
  one?.status?.observedGeneration === one?.metadata?.generation &&
  one?.status?.updatedReplicas === one?.spec?.replicas &&
  one?.status?.availableReplicas === one?.spec?.replicas;

try {
  await deployments.waitFor("web", rolledOut, { timeoutMs: 100 });
} catch (error) {
  console.log(error instanceof KubeError && error.code, isNotFound(error));
}

const waiting = deployments.waitFor("web", rolledOut, { timeoutMs: 10_000 });
// What the controller of a cluster does:
const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
await deployments.status.patch("web", merge({ status: { observedGeneration: 1, ...counts } }));
console.log((await waiting)?.status?.availableReplicas, "available");

// Prints:
// DeadlineExceeded false
// 2 available
