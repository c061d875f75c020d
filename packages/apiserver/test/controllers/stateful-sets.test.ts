import { expect, it } from "vitest";
import type { ControllerParts } from "../../src/controllers/runtime/controller-parts.js";
import { arrangePods } from "../../src/controllers/stateful-sets/arrange-pods.js";
import type { ApiObject } from "../../src/objects/api-object.js";
import {
  createControllerContext,
  namesIn,
  objectOf,
  readyStatus,
  selector,
  setPodStatus,
  template,
} from "./controller-context.js";

const storage = "statefulsets.apps";

function createSet({ writer }: ControllerParts, more: object = {}): ApiObject {
  const spec = { replicas: 2, serviceName: "web", selector, template, ...more };
  return writer.create(storage, objectOf("apps/v1", "StatefulSet", "web", { spec }));
}

function podsOf({ index }: ControllerParts, set: ApiObject): ApiObject[] {
  return index.ownedIn("pods", set.metadata.uid ?? "");
}

it("an ordered set creates a pod only when the previous one is ready", async () => {
  const context = await createControllerContext(storage);
  const set = createSet(context);
  arrangePods(context, set, [], "web-1");
  arrangePods(context, set, podsOf(context, set), "web-1");
  expect(namesIn(context, "pods")).toEqual(["web-0"]);
  setPodStatus(context, "web-0", readyStatus);
  arrangePods(context, set, podsOf(context, set), "web-1");
  expect(namesIn(context, "pods")).toEqual(["web-0", "web-1"]);
});

it("a parallel set creates all pods at once, and replaces the last outdated one", async () => {
  const context = await createControllerContext(storage);
  const set = createSet(context, { podManagementPolicy: "Parallel" });
  arrangePods(context, set, [], "web-1");
  expect(namesIn(context, "pods")).toEqual(["web-0", "web-1"]);
  arrangePods(context, set, podsOf(context, set), "web-2");
  expect(namesIn(context, "pods")).toEqual(["web-0"]);
});

it("returns the time until a pod has been ready for minReadySeconds", async () => {
  const context = await createControllerContext(storage);
  const set = createSet(context, { minReadySeconds: 10 });
  arrangePods(context, set, [], "web-1");
  const lastTransitionTime = new Date(context.server.clock.now()).toISOString();
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
  setPodStatus(context, "web-0", { phase: "Running", conditions });
  expect(arrangePods(context, set, podsOf(context, set), "web-1")).toBe(10_000);
});
