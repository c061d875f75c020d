import type { ResourceDescriptor } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import type { ObjectEvent } from "@typekube/client";
import {
  type Change,
  createInformer,
  type FollowEvent,
  follow,
  until,
  waitFor,
  watchFrom,
} from "@typekube/informer";
import type { Client } from "typekube";
import { expectTypeOf, it } from "vitest";

declare const client: Client;
type Some = ConfigMap | Deployment | Pod;

it("one of several kinds can be followed and waited for", () => {
  for (const kind of [ConfigMap, Deployment, Pod]) {
    const informer = createInformer(client, kind, {
      indexes: { app: ({ metadata }) => [metadata.labels?.["app"] ?? ""] },
    });
    expectTypeOf(informer.get("web")).toExtend<Some | undefined>();
    expectTypeOf(informer.by.app("web")).toExtend<Some[]>();
    expectTypeOf(follow(client, kind)).toExtend<AsyncIterable<FollowEvent<Some>>>();
    expectTypeOf(watchFrom(client, kind, { resourceVersion: "1" })).toExtend<
      AsyncIterable<ObjectEvent<Some>>
    >();
    expectTypeOf(waitFor(client, kind, "web", (object) => object !== undefined)).resolves.toExtend<
      Some | undefined
    >();
    expectTypeOf(until(client, kind, (change) => change.type === "delete")).resolves.toExtend<
      Change<Some> | undefined
    >();
  }
  const known: ResourceDescriptor = Pod;
  expectTypeOf(createInformer(client, known).isSynced).toBeBoolean();
  expectTypeOf(createInformer(client, Pod).get("web")?.spec?.nodeName).toEqualTypeOf<
    string | undefined
  >();
});
