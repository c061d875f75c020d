import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { expect, it } from "vitest";
import { countStep } from "../../src/controllers/stages/run-stages.js";
import { stage } from "../../src/controllers/stages/stage.js";
import { takeStep } from "../../src/controllers/stages/take-step.js";
import { createControllerContext, namespace, objectOf, podOf } from "./controller-context.js";

it("a step binds a pod to a node as a scheduler does, and records its Events", async () => {
  const context = await createControllerContext();
  const { writer } = context;
  const pod = writer.create("pods", podOf("a"));
  const bind = stage(Pod, {
    set: () => ({ spec: { nodeName: "n1" } }),
    events: () => [{ reason: "Scheduled", message: "done" }],
    manager: "kube-scheduler",
  });
  await takeStep({ ...context, storage: "pods", writerOf: () => writer }, bind, pod);
  expect(writer.get("pods", namespace, "a")).toMatchObject({ spec: { nodeName: "n1" } });
  expect(writer.list("events", "")).toMatchObject([{ source: { component: "kube-scheduler" } }]);
});

it("a step that deletes leaves an object alone that was created again", async () => {
  const context = await createControllerContext("configmaps");
  const { writer } = context;
  const first = writer.create("configmaps", objectOf("v1", "ConfigMap", "a"));
  writer.delete("configmaps", first);
  writer.create("configmaps", objectOf("v1", "ConfigMap", "a"));
  const remove = stage(ConfigMap, { delete: true });
  const step = takeStep(
    { ...context, storage: "configmaps", writerOf: () => writer },
    remove,
    first,
  );
  await expect(step).rejects.toMatchObject({ status: { reason: "Conflict" } });
  expect(writer.get("configmaps", namespace, "a")).toBeDefined();
});

it("counts consecutive immediate steps, and rejects the hundred-and-first", () => {
  const object = objectOf("v1", "ConfigMap", "a", {}, { resourceVersion: "7" });
  const steps = (count: number) => ({
    storage: "configmaps",
    steps: new Map([["a", { count, wrote: "7" }]]),
  });
  expect(countStep(steps(99), "a", object, 0)).toBe(100);
  expect(countStep(steps(99), "a", object, 1_000)).toBe(1);
  expect(() => countStep(steps(100), "a", object, 0)).toThrow(/endless loop/);
});
