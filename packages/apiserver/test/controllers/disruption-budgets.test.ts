import { expect, it } from "vitest";
import {
  disruptedPods,
  recheckIn,
} from "../../src/controllers/disruption-budgets/disrupted-pods.js";
import { healthyWanted } from "../../src/controllers/disruption-budgets/healthy-wanted.js";
import {
  createControllerContext,
  objectOf,
  podOf,
  selector,
  template,
} from "./controller-context.js";

const budgetOf = (spec: object, status: object = {}) =>
  objectOf("policy/v1", "PodDisruptionBudget", "web", { spec: { selector, ...spec }, status });

it("a number counts the pods, a percentage the replicas of their controllers", async () => {
  const context = await createControllerContext("replicasets.apps");
  const set = context.writer.create(
    "replicasets.apps",
    objectOf("apps/v1", "ReplicaSet", "web", { spec: { replicas: 5, selector, template } }),
  );
  const { name, uid = "" } = set.metadata;
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true };
  const pods = [podOf("a", {}, { ownerReferences: [owner] })];
  expect(healthyWanted(context, budgetOf({ minAvailable: 2 }), pods)).toEqual({
    desiredHealthy: 2,
    expectedPods: 1,
  });
  expect(healthyWanted(context, budgetOf({ maxUnavailable: "30%" }), pods)).toEqual({
    desiredHealthy: 3,
    expectedPods: 5,
  });
});

it("a percentage needs controllers with replicas", async () => {
  const context = await createControllerContext();
  const owner = { apiVersion: "batch/v1", kind: "Job", name: "j", uid: "u", controller: true };
  const pods = [podOf("a", {}, { ownerReferences: [owner] })];
  expect(healthyWanted(context, budgetOf({ minAvailable: "50%" }), pods)).toEqual({
    problem: 'found no controllers for pod "a"',
  });
});

it("an evicted pod counts as disrupted for two minutes", () => {
  const budget = budgetOf({}, { disruptedPods: { a: "1970-01-01T00:00:00Z" } });
  const disrupted = disruptedPods(budget, [podOf("a"), podOf("b")], 119_000);
  expect(disrupted).toEqual({ a: "1970-01-01T00:00:00Z" });
  expect(recheckIn(disrupted, 119_000)).toBe(1_000);
  expect(disruptedPods(budget, [podOf("a")], 120_000)).toEqual({});
});
