import { expect, it } from "vitest";
import { collect } from "../../src/controllers/garbage-collector/collect.js";
import { judge } from "../../src/controllers/garbage-collector/judge.js";
import type { ControllerParts } from "../../src/controllers/runtime/controller-parts.js";
import type { ApiObject } from "../../src/objects/api-object.js";
import { createControllerContext, namesIn, namespace, objectOf } from "./controller-context.js";

const storage = "configmaps";
const placeOf = (name: string) => ({ storage, key: `${namespace}/${name}` });
const reference = (name: string, uid: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name,
  uid,
});

function create(
  { writer }: ControllerParts,
  name: string,
  ...ownerReferences: object[]
): ApiObject {
  return writer.create(storage, objectOf("v1", "ConfigMap", name, {}, { ownerReferences }));
}

it("deletes an object that has lost all owners", async () => {
  const context = await createControllerContext(storage);
  const object = create(context, "child", reference("gone", "1"));
  await judge(context, placeOf("child"), object);
  expect(namesIn(context, storage)).toEqual([]);
});

it("removes a lost owner from an object that has another one", async () => {
  const context = await createControllerContext(storage);
  const owner = create(context, "owner");
  const kept = reference("owner", owner.metadata.uid ?? "");
  const object = create(context, "child", reference("gone", "1"), kept);
  await judge(context, placeOf("child"), object);
  const child = context.writer.get(storage, namespace, "child");
  expect(child?.metadata.ownerReferences).toEqual([kept]);
});

it("keeps an object with an owner of an unknown kind", async () => {
  const context = await createControllerContext(storage);
  const unknown = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "1" };
  await judge(context, placeOf("child"), create(context, "child", unknown));
  expect(namesIn(context, storage)).toEqual(["child"]);
});

it("orphans the dependents of an object that is deleted with that policy", async () => {
  const context = await createControllerContext(storage);
  const { writer } = context;
  const owner = create(context, "owner");
  create(context, "child", reference("owner", owner.metadata.uid ?? ""));
  writer.delete(storage, owner, { propagationPolicy: "Orphan" });
  await collect(context, placeOf("owner"));
  expect(namesIn(context, storage)).toEqual(["child"]);
  expect(writer.get(storage, namespace, "child")?.metadata.ownerReferences ?? []).toEqual([]);
});
