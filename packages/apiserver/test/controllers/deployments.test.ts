import { expect, it } from "vitest";
import { reviseDeployment } from "../../src/controllers/deployments/revise-deployment.js";
import { growNew, shrinkOld } from "../../src/controllers/deployments/roll-out.js";
import type { ControllerParts } from "../../src/controllers/runtime/controller-parts.js";
import type { ApiObject } from "../../src/objects/api-object.js";
import type { JsonObject } from "../../src/objects/json-value.js";
import { specOf } from "../../src/objects/parts.js";
import { createControllerContext, objectOf, selector, template } from "./controller-context.js";

const storages = ["deployments.apps", "replicasets.apps"];
const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };

function createDeployment({ writer }: ControllerParts): ApiObject {
  const spec = { replicas: 4, strategy, selector, template };
  return writer.create("deployments.apps", objectOf("apps/v1", "Deployment", "web", { spec }));
}

function createSet(
  { writer }: ControllerParts,
  name: string,
  replicas: number,
  status: JsonObject,
): ApiObject {
  const spec = { replicas, selector, template };
  const set = writer.create("replicasets.apps", objectOf("apps/v1", "ReplicaSet", name, { spec }));
  return writer.update("replicasets.apps", { ...set, status }, "status");
}

function replicasOf({ writer }: ControllerParts, name: string): unknown {
  return specOf(writer.get("replicasets.apps", "default", name) ?? {})["replicas"];
}

it("the newest ReplicaSet grows up to the surge limit", async () => {
  const context = await createControllerContext(...storages);
  const deployment = createDeployment(context);
  const old = createSet(context, "old", 4, { replicas: 4, readyReplicas: 4, availableReplicas: 4 });
  const newest = createSet(context, "new", 0, { replicas: 0 });
  expect(growNew(context, deployment, newest, [old])).toBe(true);
  expect(replicasOf(context, "new")).toBe(1);
});

it("old ReplicaSets shrink down to the availability limit", async () => {
  const context = await createControllerContext(...storages);
  const deployment = createDeployment(context);
  const old = createSet(context, "old", 4, { replicas: 4, readyReplicas: 4, availableReplicas: 4 });
  const newest = createSet(context, "new", 1, { replicas: 1, availableReplicas: 0 });
  expect(shrinkOld(context, deployment, newest, [old])).toBe(true);
  expect(replicasOf(context, "old")).toBe(3);
});

it("a new template gets a ReplicaSet, and the Deployment its revision", async () => {
  const context = await createControllerContext(...storages);
  const deployment = createDeployment(context);
  const { set, revised } = reviseDeployment(context, deployment, []);
  const revision = { "deployment.kubernetes.io/revision": "1" };
  expect(set.metadata.annotations).toMatchObject(revision);
  expect(revised.metadata.annotations).toMatchObject(revision);
  expect(reviseDeployment(context, revised, [set])).toEqual({ set, revised });
});
