import type { KubeObject } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import type { AppliedObject, DeletedObject, FailedObject, ManifestsDiff } from "@typekube/client";
import { parseManifests, readManifests } from "@typekube/core";
import type { Client } from "typekube";
import { expectTypeOf, test } from "vitest";

declare const client: Client;
declare const objects: KubeObject[];

test("GRP30: failures are in the result type only when requested", () => {
  expectTypeOf(client.applyAll("")).resolves.toEqualTypeOf<AppliedObject[]>();
  expectTypeOf(client.applyAll(objects, { onFailure: "throw" })).resolves.toEqualTypeOf<
    AppliedObject[]
  >();
  expectTypeOf(client.applyAll("", { onFailure: "report" })).resolves.toEqualTypeOf<
    (AppliedObject | FailedObject)[]
  >();
  expectTypeOf(client.deleteAll("")).resolves.toEqualTypeOf<DeletedObject[]>();
  expectTypeOf(client.deleteAll("", { onFailure: "report" })).resolves.toEqualTypeOf<
    (DeletedObject | FailedObject)[]
  >();
  expectTypeOf(client.diff("")).resolves.toEqualTypeOf<ManifestsDiff>();
});

test("accepts object literals with fields of any kind", () => {
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  void client.applyAll([
    { ...config, data: { k: "v" } },
    { apiVersion: "x.io/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 1 } },
  ]);
  void client.deleteAll([{ ...config, data: { k: "v" } }]);
  void client.diff([{ ...config, data: { k: "v" } }]);
  // @ts-expect-error a name is text
  void client.applyAll([{ ...config, metadata: { name: 1 } }]);
});

test("objects read from manifests have a kind, so that they can be applied", async () => {
  for (const object of await parseManifests("")) {
    void client.apply(object);
  }
  for await (const { object } of readManifests("")) {
    void client.apply(object);
  }
});

test("options that make no sense for several objects do not compile", () => {
  // @ts-expect-error which set?
  void client.applyAndPrune("", {});
  // @ts-expect-error it prunes nothing when something failed
  void client.applyAndPrune("", { applySet: { name: "a" }, onFailure: "report" });
  // @ts-expect-error a diff is a dry run already
  void client.diff("", { dryRun: "All" });
  // @ts-expect-error of which of them?
  void client.deleteAll("", { preconditions: { uid: "u" } });
  // @ts-expect-error one by one
  void client.deleteAll("", { ignoreStoreReadErrorWithClusterBreakingPotential: true });
});

test("SSA4: an apply takes a part of an object, with known fields only", () => {
  const deployments = client.resource(Deployment, "prod");
  deployments.apply({ metadata: { name: "web" }, spec: { replicas: 2 } });
  // @ts-expect-error no such field
  deployments.apply({ metadata: { name: "web" }, spec: { replica: 2 } });
});
