import type { KubeList, Live, Verb } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { SelfSubjectAccessReview } from "@typekube/api/authorization/v1";
import type { Scale } from "@typekube/api/autoscaling/v1";
import { ComponentStatus, ConfigMap, Node, Pod } from "@typekube/api/core/v1";
import type { Eviction } from "@typekube/api/policy/v1";
import type {
  ConnectOptions,
  DeleteResult,
  ItemWalk,
  KindOf,
  UnknownKind,
  WatchEvent,
} from "@typekube/client";
import type { Client } from "typekube";
import { describe, expectTypeOf, test } from "vitest";

declare const client: Client;

const pods = () => client.resource(Pod, "prod");

describe("resource clients", () => {
  test("GRP21: a cluster-scoped kind takes no namespace", () => {
    // @ts-expect-error nodes have no namespace
    client.resource(Node, "prod");
    const nodes = client.resource(Node);
    expectTypeOf<Awaited<ReturnType<typeof nodes.get>>>().toEqualTypeOf<Live<Node>>();
  });

  test("GRP22: a client of all namespaces has list, items, watch and create, but no method that takes a name", () => {
    const everywhere = client.resource(Pod);
    expectTypeOf<keyof typeof everywhere>().toEqualTypeOf<
      "create" | "items" | "list" | "metadata" | "table" | "watch"
    >();
    // @ts-expect-error which namespace?
    everywhere.get("a");
    // @ts-expect-error which namespace?
    everywhere.status;
  });

  test("GRP13: a kind that represents an operation can only be created", () => {
    const reviews = client.resource(SelfSubjectAccessReview);
    expectTypeOf<keyof typeof reviews>().toEqualTypeOf<"create">();
    expectTypeOf(reviews.create).returns.resolves.toEqualTypeOf<Live<SelfSubjectAccessReview>>();
  });

  test("methods use the type of the kind", () => {
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof pods>["get"]>>>().toEqualTypeOf<Live<Pod>>();
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof pods>["find"]>>>().toEqualTypeOf<
      Live<Pod> | undefined
    >();
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof pods>["list"]>>>().toEqualTypeOf<
      KubeList<Live<Pod>>
    >();
    expectTypeOf<ReturnType<ReturnType<typeof pods>["items"]>>().toEqualTypeOf<ItemWalk<Pod>>();
    expectTypeOf<ReturnType<ReturnType<typeof pods>["watch"]>>().toEqualTypeOf<
      AsyncIterable<WatchEvent<Pod>>
    >();
    expectTypeOf(pods().delete).returns.resolves.toEqualTypeOf<DeleteResult<Pod>>();
    expectTypeOf(pods().create).parameter(0).toExtend<Pod>();
    // @ts-expect-error another kind
    pods().create({ kind: "Secret" });
    // @ts-expect-error no such field
    pods().create({ spec: { containers: [], contianers: [] } });
    pods().apply({ metadata: { name: "a" }, spec: { containers: [{ name: "b" }] } });
  });

  test("GRP27: subresources have the body types of their own kinds", () => {
    expectTypeOf(pods().status.get).returns.resolves.toEqualTypeOf<Live<Pod>>();
    expectTypeOf(
      client.resource(Deployment, "prod").scale.get,
    ).returns.resolves.toEqualTypeOf<Scale>();
    expectTypeOf(client.resource(Deployment, "prod").scale.update)
      .parameter(1)
      .toEqualTypeOf<Scale>();
    expectTypeOf(pods().eviction.create).parameter(1).toEqualTypeOf<Eviction>();
    // @ts-expect-error config maps have no status
    client.resource(ConfigMap, "prod").status;
    // @ts-expect-error an eviction can only be created
    pods().eviction.get("a");
    // @ts-expect-error a scale is no Deployment
    client.resource(Deployment, "prod").scale.update("a", { spec: { template: {} } });
    // @ts-expect-error a log is a stream, not an object
    pods().log;
  });

  test("watch events are distinguished by their type", () => {
    const event = {} as WatchEvent<Pod>;
    if (event.type === "BOOKMARK") {
      expectTypeOf(event.object.metadata.resourceVersion).toEqualTypeOf<string>();
      // @ts-expect-error WAT7: a bookmark has no spec
      event.object.spec;
    } else {
      expectTypeOf(event.object).toEqualTypeOf<Live<Pod>>();
    }
    expectTypeOf<WatchEvent["type"]>().toEqualTypeOf<
      "ADDED" | "BOOKMARK" | "DELETED" | "MODIFIED"
    >();
  });
});

describe("options that the API rejects do not compile", () => {
  test("RV14, RV18: resourceVersionMatch requires a resourceVersion", () => {
    pods().list({ resourceVersion: "5", resourceVersionMatch: "Exact" });
    pods().list({ resourceVersion: "0" });
    // @ts-expect-error no version
    pods().list({ resourceVersionMatch: "Exact" });
    // @ts-expect-error no version
    pods().items({ resourceVersionMatch: "NotOlderThan" });
    // @ts-expect-error no such match
    pods().list({ resourceVersion: "5", resourceVersionMatch: "Newest" });
    // @ts-expect-error RV10: a get has no match
    pods().get("a", { resourceVersion: "5", resourceVersionMatch: "Exact" });
  });

  test("WAT10, WAT11: sendInitialEvents requires resourceVersionMatch and bookmarks", () => {
    const initial = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;
    pods().watch(initial);
    // @ts-expect-error no match
    pods().watch({ sendInitialEvents: true });
    // @ts-expect-error a match without initial events
    pods().watch({ resourceVersion: "5", resourceVersionMatch: "NotOlderThan" });
    // @ts-expect-error the end would never be told
    pods().watch({ ...initial, allowWatchBookmarks: false });
    // @ts-expect-error a list has no initial events
    pods().list({ sendInitialEvents: true });
  });

  test("WAT20: neither a watch nor a walk over items has a limit", () => {
    // @ts-expect-error no limit
    pods().watch({ limit: 5 });
    // @ts-expect-error the pager owns the limit
    pods().items({ limit: 5 });
  });

  test("deletes and writes take only their own options", () => {
    // @ts-expect-error no such policy
    pods().delete("a", { propagationPolicy: "Later" });
    // @ts-expect-error only All
    pods().create({}, { dryRun: true });
    // @ts-expect-error force is for apply
    pods().update({}, { force: true });
  });
});

describe("kinds by apiVersion and kind", () => {
  test("a built-in kind has its type", () => {
    const deployments = client.resource({ apiVersion: "apps/v1", kind: "Deployment" }, "prod");
    expectTypeOf<Awaited<ReturnType<typeof deployments.get>>>().toEqualTypeOf<Live<Deployment>>();
    expectTypeOf<KindOf<{ apiVersion: "v1"; kind: "Pod" }>>().toEqualTypeOf<Pod>();
    expectTypeOf<Awaited<ReturnType<typeof deployments.status.get>>>().toEqualTypeOf<
      Live<Deployment>
    >();
  });

  test("any other kind is an object with arbitrary fields", () => {
    const widgets = client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
    expectTypeOf<Awaited<ReturnType<typeof widgets.get>>>().toEqualTypeOf<Live<UnknownKind>>();
    expectTypeOf<KindOf<{ apiVersion: "apps/v1"; kind: "Nothing" }>>().toEqualTypeOf<UnknownKind>();
    expectTypeOf<KindOf<{ apiVersion: string; kind: string }>>().toEqualTypeOf<UnknownKind>();
  });

  test("apply returns the type of the applied kind", () => {
    const applied = client.apply({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
    });
    expectTypeOf(applied).resolves.toEqualTypeOf<Live<Deployment>>();
  });

  test("OLD11: a kind that cannot be watched has no watch method", () => {
    expectTypeOf(client.resource(ConfigMap, "prod")).toHaveProperty("watch");
    expectTypeOf(client.resource(ComponentStatus)).toHaveProperty("list");
    expectTypeOf(client.resource(ComponentStatus)).not.toHaveProperty("watch");
    expectTypeOf(client.resource(SelfSubjectAccessReview)).not.toHaveProperty("watch");
  });

  test("Verb has exactly the verbs of the API", () => {
    expectTypeOf<Verb>().toEqualTypeOf<
      "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch"
    >();
  });
});

test("a transport of the caller has no close: the client would not call it", () => {
  type Given = NonNullable<ConnectOptions["transport"]>;
  expectTypeOf<keyof Given>().toEqualTypeOf<"send" | "server">();
  const { send, server } = {} as Given;
  // @ts-expect-error the caller closes it
  ({ transport: { send, server, close: async () => {} } }) satisfies ConnectOptions;
});
