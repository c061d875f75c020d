import { expect, it } from "vitest";
import { replicaSets } from "../../src/controllers/replica-sets/replica-kinds.js";
import { adjustPods } from "../../src/controllers/replica-sets/replica-sets.js";
import {
  createControllerContext,
  namesIn,
  objectOf,
  podOf,
  selector,
  setPodStatus,
  template,
} from "./controller-context.js";

it("creates missing pods, and deletes surplus ones, unscheduled before running", async () => {
  const context = await createControllerContext(replicaSets.storage);
  const { writer } = context;
  const labels = { app: "web" };
  const spec = { ...(template["spec"] as object), nodeName: "n1" };
  writer.create("pods", podOf("runs", { spec }, { labels }));
  setPodStatus(context, "runs", { phase: "Running" });
  writer.create("pods", podOf("waits", {}, { labels }));
  const set = writer.create(
    replicaSets.storage,
    objectOf("apps/v1", "ReplicaSet", "web", { spec: { replicas: 1, selector, template } }),
  );
  expect(adjustPods(context, replicaSets, set, writer.list("pods", ""))).toBeUndefined();
  expect(namesIn(context, "pods")).toEqual(["runs"]);
  adjustPods(context, replicaSets, set, []);
  expect(namesIn(context, "pods")).toHaveLength(2);
});

it("returns the error that prevented a creation, and records it", async () => {
  const context = await createControllerContext(replicaSets.storage);
  const broken = {
    ...template,
    spec: {
      containers: [
        { name: "main", image: "i" },
        { name: "main", image: "i" },
      ],
    },
  };
  const set = objectOf(
    "apps/v1",
    "ReplicaSet",
    "web",
    { spec: { replicas: 1, selector, template: broken } },
    { uid: "u" },
  );
  expect(adjustPods(context, replicaSets, set, [])?.message).toMatch(/Duplicate value/);
  expect(context.writer.list("events", "")).toMatchObject([{ reason: "FailedCreate" }]);
});
