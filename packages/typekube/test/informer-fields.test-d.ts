import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import { type Client, conditions, type Informer } from "typekube";
import { expectTypeOf, test } from "vitest";

declare const client: Client;
const fields = ["metadata.labels", "spec.nodeName", "status.phase"] as const;

test("fields: an informer's objects, changes and indexes have the fields that it keeps", () => {
  const pods = client.informer(Pod, {
    fields: ["metadata.labels", "spec.nodeName"],
    indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
  });
  const [pod] = pods.by.node("n1");
  expectTypeOf(pod?.spec?.nodeName).toEqualTypeOf<string | undefined>();
  // @ts-expect-error the status is not kept
  pod?.status;
  pods.onChange({
    add: (added) => {
      expectTypeOf(added.metadata.name).toEqualTypeOf<string>();
      // @ts-expect-error the annotations are not kept
      added.metadata.annotations;
    },
  });
});

test("fields: an index function that reads another field does not compile", () => {
  client.informer(Pod, {
    fields: ["spec.nodeName"],
    // @ts-expect-error the phase is not kept
    indexes: { phase: (pod) => [pod.status?.phase ?? ""] },
  });
});

test("fields: a list of paths that is constant serves several readers", async () => {
  for await (const event of client.follow(Pod, { fields })) {
    if (event.type === "applied") {
      expectTypeOf(event.object.status?.phase).not.toBeNever();
      // @ts-expect-error the containers are not kept
      event.object.spec?.containers;
    }
  }
  for await (const { object } of client.watchFrom(Pod, { fields, resourceVersion: "1" })) {
    expectTypeOf(object.metadata.labels).toEqualTypeOf<Record<string, string> | undefined>();
  }
  const pod = await client.waitFor(Pod, "web", (found) => found?.status?.phase === "Running", {
    fields,
    namespace: "default",
  });
  // @ts-expect-error the containers are not kept
  pod?.spec?.containers;
});

test("fields: informers without them are as before", () => {
  expectTypeOf(client.informer(Pod)).toExtend<Informer<Pod>>();
  expectTypeOf(client.informer(Pod).get("a/b")).toEqualTypeOf<Live<Pod> | undefined>();
  // @ts-expect-error no such field
  client.informer(Pod, { fields: ["spec.nodName"] });
});

test("fields: mutated takes the whole object that a write returned", async () => {
  const pods = client.informer(Pod, { fields: ["spec.nodeName"] });
  pods.mutated(await client.resource(Pod, "a").get("b"));
  const [cached] = pods.list();
  // @ts-expect-error the metadata of a projected object lacks it, too
  pods.mutated({ ...(await client.resource(Pod, "a").get("b")), metadata: cached?.metadata });
  // @ts-expect-error a projected object lacks what the selectors of the informer need
  client.informer(Pod).mutated(await client.resource(Pod, "a").get("b", { fields: ["spec"] }));
});

test("fields: waitFor of a resource client has the fields that it keeps", async () => {
  const pods = client.resource(Pod, "default");
  const pod = await pods.waitFor("web", (found) => found?.status?.phase === "Running", { fields });
  expectTypeOf(pod?.spec?.nodeName).toEqualTypeOf<string | undefined>();
  expectTypeOf(pod?.metadata.name).toEqualTypeOf<string | undefined>();
  // @ts-expect-error the containers are not kept
  pod?.spec?.containers;
  // @ts-expect-error the condition reads a field that is not kept
  void pods.waitFor("web", (found) => found?.metadata.annotations !== undefined, { fields });
  // @ts-expect-error no such field
  void pods.waitFor("web", () => true, { fields: ["spec.nodName"] });
  // @ts-expect-error a resource client has its own namespace
  void pods.waitFor("web", () => true, { fields, namespace: "other" });
});

test("fields: the conditions of `conditions` fit every projection", async () => {
  const pods = client.resource(Pod, "default");
  const ready = await pods.waitFor("web", conditions.ready(), { fields: ["spec.nodeName"] });
  // @ts-expect-error what the condition reads is not part of the type
  ready?.status;
  const found = await client.waitFor(Pod, "web", conditions.jsonPath(".status.phase", "Running"), {
    fields: ["spec.nodeName"],
    namespace: "default",
  });
  expectTypeOf(found?.spec?.nodeName).toEqualTypeOf<string | undefined>();
});

test("fields: waitFor of a resource client without them is as before", async () => {
  const pods = client.resource(Pod, "default");
  expectTypeOf(await pods.waitFor("web", conditions.ready())).toEqualTypeOf<
    Live<Pod> | undefined
  >();
  expectTypeOf(await pods.waitFor("web", () => true, { timeoutMs: 1 })).toEqualTypeOf<
    Live<Pod> | undefined
  >();
  expectTypeOf<Awaited<ReturnType<typeof pods.waitFor>>>().toEqualTypeOf<Live<Pod> | undefined>();
  const widgets = client.resource({ apiVersion: "example.com/v1", kind: "Widget" }, "default");
  const widget = await widgets.waitFor("w", conditions.ready(), { fields: ["spec.size"] });
  expectTypeOf(widget?.metadata.name).toEqualTypeOf<string | undefined>();
});
