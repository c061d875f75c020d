import {
  type Change,
  type Client,
  type FollowEvent,
  type FollowOptions,
  type InformerOptions,
  type ItemWalk,
  type KubeList,
  type KubeObject,
  type Live,
  mergePatch,
  type ObjectEvent,
  type ResourceDescriptor,
  type UnknownKind,
  type WatchEvent,
} from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Node, PersistentVolume, Pod } from "typekube/api/core/v1";
import type { PartialObjectMetadata } from "typekube/api/meta/v1";
import type { MetadataInformerOptions } from "typekube/types";
import { expectTypeOf, it } from "vitest";

declare const client: Client;
declare const written: Live<Pod>;

it("reads return live objects, which are accepted wherever their kind is", async () => {
  const pods = client.resource(Pod, "prod");
  const web = await pods.get("web-0");
  expectTypeOf(web).toExtend<Pod>();
  expectTypeOf(web.metadata.name).toEqualTypeOf<string>();
  expectTypeOf(pods.find("web-9")).resolves.toEqualTypeOf<Live<Pod> | undefined>();
  expectTypeOf(pods.list()).resolves.toEqualTypeOf<KubeList<Live<Pod>>>();
  expectTypeOf(pods.items()).toEqualTypeOf<ItemWalk<Pod>>();
  expectTypeOf(pods.watch()).toEqualTypeOf<AsyncIterable<WatchEvent<Pod>>>();
});

it("only namespaced kinds take a namespace, and a single object requires it", () => {
  client.resource(Node).get("node-1");
  // @ts-expect-error a Node lives in no namespace
  client.resource(Node, "prod");
  // @ts-expect-error one pod needs a namespace
  client.resource(Pod).get("web-0");
});

it("an informer has the types of its kind and its indexes", () => {
  const informer = client.informer(Pod, {
    indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
  });
  expectTypeOf(informer.by.node("n1")).toEqualTypeOf<Live<Pod>[]>();
  expectTypeOf(informer.get("prod/web-0")).toEqualTypeOf<Live<Pod> | undefined>();
  expectTypeOf(informer.changes()).toEqualTypeOf<AsyncIterableIterator<Change<Pod>>>();
  // @ts-expect-error there is no such index
  informer.by.zone;
});

it("accepts options that are declared with their type, for whole objects by default", () => {
  const options: InformerOptions<Pod> = { namespace: "prod", transform: (pod) => pod };
  expectTypeOf(client.informer(Pod, options).list()).toEqualTypeOf<Live<Pod>[]>();
  const more = { ...options, indexes: { name: (pod: Live<Pod>) => [pod.metadata.name] } };
  expectTypeOf(client.informer(Pod, more).by.name("web-0")).toEqualTypeOf<Live<Pod>[]>();
  const following: FollowOptions = { namespace: "prod" };
  expectTypeOf(client.follow(Pod, following)).toEqualTypeOf<AsyncIterable<FollowEvent<Pod>>>();
  const ofMetadata: MetadataInformerOptions = { view: "metadata" };
  expectTypeOf(client.informer(Pod, ofMetadata).list()).toEqualTypeOf<
    Live<PartialObjectMetadata>[]
  >();
  // @ts-expect-error pods are more than their metadata
  const contradicting: InformerOptions<Pod> = { view: "metadata" };
  client.informer(Pod, contradicting);
});

it("an informer of metadata has no spec, and accepts whole objects in mutated()", () => {
  const informer = client.informer(Pod, {
    view: "metadata",
    namespace: "prod",
    indexes: { app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] },
  });
  expectTypeOf(informer.by.app("web")).toEqualTypeOf<Live<PartialObjectMetadata>[]>();
  // @ts-expect-error metadata is all there is
  informer.get("prod/web-0")?.spec;
  informer.mutated(written);
  const widgets = client.informer(
    { apiVersion: "example.com/v1", kind: "Widget" },
    { view: "metadata" },
  );
  expectTypeOf(widgets.list()).toEqualTypeOf<Live<PartialObjectMetadata>[]>();
  // @ts-expect-error an informer of pods accepts only pods
  client.informer(Pod).mutated({ apiVersion: "v1", kind: "Node" });
});

it("waits have the type of the kind", async () => {
  const ready = client.waitFor(Pod, "web-0", (pod) => pod?.status?.phase === "Running");
  expectTypeOf(ready).resolves.toEqualTypeOf<Live<Pod> | undefined>();
  const change = client.until(Pod, [(one) => one.object.spec?.nodeName !== undefined]);
  expectTypeOf(change).resolves.toEqualTypeOf<Change<Pod> | undefined>();
  const events = client.watchFrom(Pod, { resourceVersion: "5" });
  expectTypeOf(events).toEqualTypeOf<AsyncIterable<ObjectEvent<Pod>>>();
  // @ts-expect-error a watch goes on from a version
  client.watchFrom(Pod, {});
});

it("changes and follow events are unions that a switch exhausts", () => {
  const describeChange = (change: Change<Pod>): string => {
    switch (change.type) {
      case "add":
        return change.initial ? "initial" : "add";
      case "update":
      case "replaced":
        return change.previous.metadata.uid;
      case "delete":
        return change.finalStateUnknown ? "missed" : "delete";
      default:
        return change satisfies never;
    }
  };
  expectTypeOf(describeChange).returns.toEqualTypeOf<string>();
  expectTypeOf(client.follow(Pod)).toEqualTypeOf<AsyncIterable<FollowEvent<Pod>>>();
});

it("a kind by apiVersion and kind has its built-in type, or is a plain object", () => {
  const deployments = client.resource({ apiVersion: "apps/v1", kind: "Deployment" }, "prod");
  expectTypeOf(deployments.get("web")).resolves.toEqualTypeOf<Live<Deployment>>();
  const widgets = client.resource({ apiVersion: "example.com/v1", kind: "Widget" }, "prod");
  expectTypeOf(widgets.get("w")).resolves.toEqualTypeOf<Live<UnknownKind>>();
});

it("one of several kinds, or a kind known only at run time, may have a namespace", () => {
  for (const kind of [ConfigMap, Deployment, Pod]) {
    const some = client.resource(kind, "prod");
    expectTypeOf(some.get("a")).resolves.toExtend<Live<ConfigMap | Deployment | Pod>>();
    expectTypeOf(some.deleteCollection).toBeFunction();
    expectTypeOf(client.resource(kind).watch).toBeFunction();
  }
  const known: ResourceDescriptor = Pod;
  expectTypeOf(client.resource(known, "prod").get("a")).resolves.toExtend<Live<KubeObject>>();
  for (const kind of [Node, PersistentVolume]) {
    client.resource(kind).get("a");
    // @ts-expect-error neither lives in a namespace
    client.resource(kind, "prod");
  }
});

it("one of several kinds can be followed and waited for too", () => {
  for (const kind of [ConfigMap, Deployment, Pod]) {
    const informer = client.informer(kind, {
      indexes: { app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] },
    });
    expectTypeOf(informer.list()).toExtend<Live<ConfigMap | Deployment | Pod>[]>();
    expectTypeOf(informer.by.app("web")).toExtend<Live<ConfigMap | Deployment | Pod>[]>();
    expectTypeOf(client.follow(kind)).toExtend<
      AsyncIterable<FollowEvent<ConfigMap | Deployment | Pod>>
    >();
    expectTypeOf(client.waitFor(kind, "web", (object) => object !== undefined)).resolves.toExtend<
      Live<ConfigMap | Deployment | Pod> | undefined
    >();
    expectTypeOf(client.until(kind, (change) => change.type === "delete")).resolves.toExtend<
      Change<ConfigMap | Deployment | Pod> | undefined
    >();
    expectTypeOf(client.watchFrom(kind, { resourceVersion: "1" })).toExtend<
      AsyncIterable<ObjectEvent<ConfigMap | Deployment | Pod>>
    >();
  }
});

it("a wrapper generic over kinds keeps their type; one generic over descriptors has plain objects", () => {
  const ofKind = <T extends KubeObject>(
    kind: ResourceDescriptor<T>,
    ...namespace: [] | [string]
  ) => ({
    calls: client.resource(kind, ...namespace),
    informer: client.informer(kind, namespace.length === 1 ? { namespace: namespace[0] } : {}),
    events: client.follow(kind, namespace.length === 1 ? { namespace: namespace[0] } : {}),
  });
  const pods = ofKind(Pod, "prod");
  expectTypeOf(pods.calls.get("a")).resolves.toEqualTypeOf<Live<Pod>>();
  expectTypeOf(pods.informer.list()).toEqualTypeOf<Live<Pod>[]>();
  expectTypeOf(pods.events).toEqualTypeOf<AsyncIterable<FollowEvent<Pod>>>();
  const ofDescriptor = <D extends ResourceDescriptor>(kind: D) => ({
    calls: client.resource(kind),
    informer: client.informer(kind),
  });
  const some = ofDescriptor(Pod);
  expectTypeOf(some.calls.get("a")).resolves.toEqualTypeOf<Live<Pod>>();
  expectTypeOf(some.informer.list()).toEqualTypeOf<Live<KubeObject>[]>();
});

it("apply takes a part of an object; a status is applied through its subresource", () => {
  client.resource(Deployment, "prod").apply({ metadata: { name: "web" }, spec: { replicas: 2 } });
  client.resource(Deployment, "prod").status.apply("web", { status: { replicas: 2 } });
  client.resource(Deployment, "prod").patch("web", mergePatch({ spec: { replicas: 3 } }));
  // @ts-expect-error replicas is a number
  client.resource(Deployment, "prod").apply({ metadata: { name: "web" }, spec: { replicas: "2" } });
});
