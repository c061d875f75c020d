import { type Client, conditions, type ItemWalk, type Live, type UnknownKind } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { SelfSubjectAccessReview } from "typekube/api/authorization/v1";
import { Job } from "typekube/api/batch/v1";
import { type ServiceAccount as Account, Node, Pod, ServiceAccount } from "typekube/api/core/v1";
import type { ServerWarning } from "typekube/lifecycle";
import type { Consistency, ItemsProgress } from "typekube/types";
import { expectTypeOf, it } from "vitest";

declare const client: Client;

it("waitFor exists where list and watch do, and has the type of the kind", () => {
  const pods = client.resource(Pod, "prod");
  expectTypeOf(pods.waitFor("a", conditions.has("Ready"))).resolves.toEqualTypeOf<
    Live<Pod> | undefined
  >();
  pods.waitFor("a", (pod) => pod?.status?.phase === "Running", { timeoutMs: 1 });
  pods.waitFor("a", conditions.jsonPath(".status.phase", "Running"), {
    signal: AbortSignal.timeout(1),
  });
  client.resource(Node).waitFor("n", conditions.deleted("uid"));
  client.resource(Deployment, "prod").waitFor("d", conditions.available());
  client.resource(Job, "prod").waitFor("j", conditions.complete());
  // @ts-expect-error a pod has no field of that name
  pods.waitFor("a", (pod) => pod?.stattus !== undefined);
  // @ts-expect-error its namespace is that of the client
  pods.waitFor("a", conditions.deleted(), { namespace: "other" });
  // @ts-expect-error one object needs a namespace
  client.resource(Pod).waitFor("a", conditions.deleted());
  // @ts-expect-error a review is never there to be waited for
  client.resource(SelfSubjectAccessReview).waitFor("a", conditions.deleted());
});

it("a discovered resource has plain objects", async () => {
  const found = await client.discovery.find("deploy");
  const some = client.resource(found, "prod");
  expectTypeOf(some.get("a")).resolves.toEqualTypeOf<Live<UnknownKind>>();
  expectTypeOf(some.waitFor("a", conditions.deleted())).resolves.toEqualTypeOf<
    Live<UnknownKind> | undefined
  >();
});

it("RV8, RV10: the state is given in one form, and never exact for a single object", () => {
  const pods = client.resource(Pod, "prod");
  expectTypeOf(pods.items({ consistency: { exact: "7" } })).toEqualTypeOf<ItemWalk<Pod>>();
  pods.list({ consistency: "any", limit: 5 });
  pods.get("a", { consistency: { notOlderThan: "7" } });
  expectTypeOf<"latest">().toExtend<Consistency>();
  // @ts-expect-error a get has no exact state
  pods.get("a", { consistency: { exact: "7" } });
  // @ts-expect-error a get has no match
  pods.get("a", { resourceVersion: "7", resourceVersionMatch: "Exact" });
  // @ts-expect-error both say the same
  pods.list({ consistency: "any", resourceVersion: "0" });
  // @ts-expect-error there is no such intent
  pods.list({ consistency: "newest" });
  // @ts-expect-error one of the two
  pods.list({ consistency: { exact: "7", notOlderThan: "7" } });
});

it("a walk reports its progress and its resourceVersion", () => {
  const walk = client.resource(Pod).items({
    prefetch: 2,
    onProgress: (progress) => expectTypeOf(progress).toEqualTypeOf<ItemsProgress>(),
  });
  expectTypeOf(walk.resourceVersion).toEqualTypeOf<string | undefined>();
});

it("access requests have a resource or a path, and results are data", () => {
  void client.can({ verb: "get", resource: "pods", subresource: "log", namespace: "prod" });
  void client.can({ verb: "get", path: "/metrics" });
  // @ts-expect-error neither a resource nor a path
  void client.can({ verb: "get" });
  // @ts-expect-error a path has no namespace
  void client.can({ verb: "get", path: "/metrics", namespace: "prod" });
  expectTypeOf(client.health).parameter(0).toEqualTypeOf<"healthz" | "livez" | "readyz">();
  expectTypeOf<Live<Account>>().toExtend<Account>();
  client.resource(ServiceAccount, "prod").token.create("a", { spec: { audiences: [] } });
});

it("the type of a warning determines its fields", () => {
  const warning = {} as ServerWarning;
  if (warning.type === "deprecated") {
    expectTypeOf(warning.removed).toEqualTypeOf<string | undefined>();
  } else if (warning.type !== "other") {
    expectTypeOf(warning.field).toEqualTypeOf<string>();
  }
});
