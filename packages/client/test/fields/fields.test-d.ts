import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, type Node, Pod } from "@typekube/api/core/v1";
import type { OwnerReference } from "@typekube/api/meta/v1";
import { type Client, defineResource, mergePatch, objectKey } from "typekube";
import { computedFields } from "typekube/fields";
import { expectTypeOf, test } from "vitest";

declare const client: Client;
const pods = client.resource(Pod, "default");

test("fields: the result has the fields that were asked for and what identifies it, and no other", async () => {
  const pod = await pods.get("web", { fields: ["metadata.labels", "spec.nodeName"] });
  expectTypeOf(pod.spec?.nodeName).toEqualTypeOf<string | undefined>();
  expectTypeOf(pod.metadata.labels).toEqualTypeOf<Record<string, string> | undefined>();
  expectTypeOf(pod.metadata.name).toEqualTypeOf<string>();
  expectTypeOf(pod.metadata.uid).toEqualTypeOf<string>();
  // @ts-expect-error the status was not asked for
  pod.status;
  // @ts-expect-error the containers were not asked for
  pod.spec?.containers;
  // @ts-expect-error the annotations were not asked for
  pod.metadata.annotations;
});

test("fields: without them the result is the whole object", async () => {
  expectTypeOf(await pods.get("web")).toEqualTypeOf<Live<Pod>>();
  expectTypeOf(await pods.get("web", {})).toEqualTypeOf<Live<Pod>>();
  expectTypeOf<Awaited<ReturnType<typeof pods.get>>>().toEqualTypeOf<Live<Pod>>();
});

test("fields: paths go through lists and into maps", async () => {
  const { items } = await pods.list({
    fields: ["spec.containers.image", 'metadata.annotations["example.com/owner"]'],
  });
  for (const pod of items) {
    expectTypeOf(pod.spec?.containers[0]?.image).toEqualTypeOf<string | undefined>();
    // @ts-expect-error the container's name was not asked for
    pod.spec?.containers[0]?.name;
    expectTypeOf(pod.metadata.annotations?.["example.com/owner"]).toEqualTypeOf<
      string | undefined
    >();
    // @ts-expect-error another key was not asked for
    pod.metadata.annotations?.other;
  }
});

test("fields: a path to an object keeps all of it", async () => {
  for await (const deployment of client.resource(Deployment).items({ fields: ["spec.template"] })) {
    expectTypeOf(deployment.spec?.template.spec?.containers[0]?.name).toEqualTypeOf<
      string | undefined
    >();
  }
  for await (const event of pods.watch({ fields: ["status"] })) {
    if (event.type !== "BOOKMARK") {
      expectTypeOf(event.object.status?.phase).toEqualTypeOf<NonNullable<Pod["status"]>["phase"]>();
      // @ts-expect-error the spec was not asked for
      event.object.spec;
    }
  }
});

test("fields: a path that leads nowhere does not compile", () => {
  // @ts-expect-error no such field
  void pods.get("web", { fields: ["spec.nodName"] });
  // @ts-expect-error no such field of the items
  void pods.list({ fields: ["metadata.labels", "spec.containers.imag"] });
  // @ts-expect-error nothing before the dot
  void pods.list({ fields: [".spec"] });
  // @ts-expect-error nothing between the dots
  void pods.list({ fields: ["spec..nodeName"] });
  // @ts-expect-error no path
  void pods.list({ fields: [""] });
  // @ts-expect-error nothing after the dot
  void pods.list({ fields: ["spec."] });
  // @ts-expect-error a string has no fields
  void pods.list({ fields: ["spec.nodeName.length"] });
  // @ts-expect-error a list needs no index
  void pods.list({ fields: ["spec.containers[0].image"] });
  const wide: string[] = ["spec"];
  // @ts-expect-error the compiler cannot know which fields are there
  void pods.list({ fields: wide });
});

test("fields: no call that sends a whole object takes a projected one", async () => {
  const maps = client.resource(ConfigMap, "default");
  const map = await maps.get("settings", { fields: ["data"] });
  // @ts-expect-error the other fields would be deleted
  void maps.update(map);
  // @ts-expect-error nor a copy
  void maps.update({ ...map, data: {} });
  // @ts-expect-error
  void maps.create(map);
  // @ts-expect-error
  void maps.apply(map);
  // @ts-expect-error
  void maps.modify("settings", () => map);
  // @ts-expect-error
  void maps.modify("settings", () => ({ ...map, immutable: true }));
  void maps.update(await maps.get("settings"));
  void maps.apply({ metadata: { name: map.metadata.name }, data: map.data ?? {} });
});

test("fields: no call that sends a whole object takes the metadata of a projected one", async () => {
  const maps = client.resource(ConfigMap, "default");
  const { metadata, data = {} } = await maps.get("settings", { fields: ["data"] });
  // @ts-expect-error the labels and all other metadata would be deleted
  void maps.update({ metadata, data });
  // @ts-expect-error nor a copy
  void maps.update({ metadata: { ...metadata, labels: {} }, data });
  // @ts-expect-error
  void maps.create({ metadata, data });
  // @ts-expect-error
  void maps.modify("settings", () => ({ metadata, data }));
  // @ts-expect-error
  void maps.modify("settings", () => {}, { createIfMissing: { metadata, data } });
  const deployments = client.resource(Deployment, "default");
  const kept = await deployments.get("web", { fields: ["spec"] });
  // @ts-expect-error
  void deployments.status.update("web", { metadata: kept.metadata, status: {} });
  // @ts-expect-error
  void deployments.status.update("web", kept);
  void deployments.status.update("web", await deployments.get("web"));
  void deployments.scale.update("web", { metadata: kept.metadata, spec: { replicas: 2 } });
  const [item] = (await maps.list({ fields: ["data"] })).items;
  // @ts-expect-error
  void maps.update({ metadata: item?.metadata, data });
  void maps.update({ metadata: { name: metadata.name }, data });
});

test("fields: a patch takes the metadata of a projected object, an apply does not", async () => {
  const maps = client.resource(ConfigMap, "default");
  const { metadata, data = {} } = await maps.get("settings", { fields: ["data"] });
  // @ts-expect-error
  void maps.apply({ metadata, data });
  // @ts-expect-error
  void maps.applyWithResult({ metadata, data });
  void client.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
  void client.applyAll([{ apiVersion: "v1", kind: "ConfigMap", metadata, data }]);
  void maps.patch(metadata.name, mergePatch({ metadata, data }));
  void maps.delete(metadata.name);
});

test("fields: metadata that is kept as a whole is written as a whole", async () => {
  const maps = client.resource(ConfigMap, "default");
  for (const { metadata } of [
    await maps.get("settings", { fields: ["metadata"] }),
    await maps.get("settings", { fields: ["data", "metadata", "metadata.labels"] }),
    await maps.get("settings", { fields: ['["metadata"]'] }),
  ]) {
    expectTypeOf(metadata.finalizers).toEqualTypeOf<string[] | undefined>();
    void maps.update({ metadata, data: {} });
  }
  const map = await maps.get("settings", { fields: ["metadata"] });
  // @ts-expect-error the data would be deleted
  void maps.update(map);
});

test("fields: the metadata of a projected object fits functions that read some of it", async () => {
  const { metadata } = await pods.get("web", {
    fields: ["metadata.labels", "metadata.ownerReferences"],
  });
  const named = (one: { name?: string; namespace?: string | undefined }) =>
    `${one.namespace}/${one.name}`;
  const owned = (one: { ownerReferences?: OwnerReference[] | undefined }) =>
    one.ownerReferences?.[0]?.uid;
  const whole = (one: NonNullable<KubeObject["metadata"]>) => one.name;
  const key = (one: KubeObject) => one.metadata?.name;
  named(metadata);
  owned(metadata);
  whole(metadata);
  key({ metadata });
  expectTypeOf(metadata.name).toEqualTypeOf<string>();
  expectTypeOf(metadata.namespace).toEqualTypeOf<string | undefined>();
  expectTypeOf(objectKey({ metadata })).toEqualTypeOf<string>();
  const { name, ...rest } = metadata;
  expectTypeOf(name).toEqualTypeOf<string>();
  expectTypeOf(rest.labels).toEqualTypeOf<Record<string, string> | undefined>();
  expectTypeOf(Object.keys(metadata)).toEqualTypeOf<string[]>();
});

test("fields: a whole object of a type parameter is written as a whole", () => {
  function put<T extends KubeObject>(type: ResourceDescriptor<T, "Namespaced">, object: Live<T>) {
    return client.resource(type, "a").modify(object.metadata.name, () => object);
  }
  void put(Pod, {} as Live<Pod>);
});

test("fields: kinds without a type take any path", async () => {
  const widgets = client.resource({ apiVersion: "example.com/v1", kind: "Widget" }, "default");
  const widget = await widgets.get("a", { fields: ["spec.size", "status"] });
  expectTypeOf(widget.metadata.name).toEqualTypeOf<string>();
  // @ts-expect-error the annotations were not asked for
  widget.metadata.annotations;
  expectTypeOf(widget["status"]).toEqualTypeOf<unknown>();
});

test("fields: descriptors without a type take any path, too", async () => {
  const widgets = client.resource(
    defineResource({ group: "example.com", version: "v1", kind: "Widget" }),
    "default",
  );
  const widget = await widgets.get("a", { fields: ["spec.size"] });
  expectTypeOf(widget.metadata.uid).toEqualTypeOf<string>();
});

test("fields: computed paths give what identifies an object", async () => {
  const wide: string[] = ["spec"];
  const fields = computedFields(wide);
  const pod = await pods.get("web", { fields });
  expectTypeOf(pod.metadata.name).toEqualTypeOf<string>();
  // @ts-expect-error the compiler cannot know which fields are there
  pod.spec;
  // @ts-expect-error it would lose the other fields
  void pods.update(pod);
  const { items } = await pods.list({ fields });
  expectTypeOf(items[0]?.metadata.uid).toEqualTypeOf<string | undefined>();
  await pods.waitFor("web", (found) => found?.metadata.name === "web", { fields });
  for await (const event of client.watchFrom(Pod, { fields, resourceVersion: "1" })) {
    expectTypeOf(event.object.metadata.name).toEqualTypeOf<string>();
  }
});

test("fields: computed paths serve a kind that is a type parameter", () => {
  async function some<T extends Node | Pod>(type: ResourceDescriptor<T>) {
    const fields = computedFields(["metadata.labels"]);
    await using informer = client.informer(type, { fields });
    expectTypeOf(informer.list()[0]?.metadata.uid).toEqualTypeOf<string | undefined>();
    const { items } = await client.resource(type).list({ fields });
    // @ts-expect-error literals need a kind that is known
    void client.resource(type).list({ fields: ["metadata.labels"] });
    return items.map((item) => item.metadata.name);
  }
  expectTypeOf(some(Pod)).toEqualTypeOf<Promise<string[]>>();
  async function any<T extends KubeObject>(type: ResourceDescriptor<T, "Namespaced">) {
    const found = await client.resource(type, "a").find("b", { fields: computedFields([]) });
    return found?.metadata.name;
  }
  expectTypeOf(any(Pod)).toEqualTypeOf<Promise<string | undefined>>();
  void any(ConfigMap);
});

test("fields: literals work for one of several kinds", async () => {
  const some = client.resource(Pod as typeof Node | typeof Pod, "default");
  const found = await some.get("a", { fields: ["metadata.labels", "status.phase"] });
  expectTypeOf(found.metadata.labels).toEqualTypeOf<Record<string, string> | undefined>();
});
