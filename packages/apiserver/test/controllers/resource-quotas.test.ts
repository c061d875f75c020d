import { expect, it } from "vitest";
import { mayFreeUsage } from "../../src/controllers/resource-quotas/may-free-usage.js";
import { usedOf } from "../../src/controllers/resource-quotas/used-of.js";
import { writeResourceList } from "../../src/objects/resource-list.js";
import type { StoreEvent } from "../../src/store/history.js";
import { createControllerContext, namespace, objectOf, podOf } from "./controller-context.js";

it("counts the objects and requests of the quota's namespace", async () => {
  const { writer, server } = await createControllerContext();
  const resources = { requests: { cpu: "250m" } };
  const spec = { containers: [{ name: "main", image: "i", resources }] };
  writer.create("pods", podOf("a", { spec }));
  writer.create("pods", podOf("b", { spec }));
  const quota = objectOf("v1", "ResourceQuota", "q");
  const used = usedOf(writer, quota, ["pods", "requests.cpu"], server.clock.now());
  expect(writeResourceList(used)).toEqual({ pods: "2", "requests.cpu": "500m" });
});

it("only a deletion, or a change of what counts, may free usage", async () => {
  const { server } = await createControllerContext();
  const event = (type: StoreEvent["type"], status: string, before: string): StoreEvent => ({
    type,
    revision: 1n,
    key: `${namespace}/a`,
    namespace,
    object: podOf("a", { status: { phase: status } }),
    previous: podOf("a", { status: { phase: before } }),
  });
  const frees = (one: StoreEvent) => mayFreeUsage(one, "pods", server.clock);
  expect(frees(event("DELETED", "Running", "Running"))).toBe(true);
  expect(frees(event("MODIFIED", "Succeeded", "Running"))).toBe(true);
  expect(frees(event("MODIFIED", "Running", "Pending"))).toBe(false);
});
