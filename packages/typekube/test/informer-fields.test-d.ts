import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import type { Client, Informer } from "typekube";
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
  // @ts-expect-error a projected object lacks what the selectors of the informer need
  client.informer(Pod).mutated(await client.resource(Pod, "a").get("b", { fields: ["spec"] }));
});
