import type { Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { SelfSubjectAccessReview } from "@typekube/api/authorization/v1";
import type { Scale } from "@typekube/api/autoscaling/v1";
import { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "@typekube/api/core/v1";
import { extract, jsonPatch, mergePatch, type Patch, strategicPatch } from "@typekube/client";
import type { Client } from "typekube";
import { describe, expectTypeOf, test } from "vitest";

declare const client: Client;

const configMaps = () => client.resource(ConfigMap, "prod");
const deployments = () => client.resource(Deployment, "prod");
const widgets = () => client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");

describe("modify", () => {
  test("takes a function that changes its argument or returns another object, synchronously or not", () => {
    const modify = configMaps().modify;
    modify("a", (object) => {
      expectTypeOf(object).toEqualTypeOf<Live<ConfigMap>>();
      object.data = { k: "v" };
    });
    modify("a", async (object) => {
      object.data = { k: "v" };
    });
    modify("a", (object) => ({ ...object, data: { k: "v" } }));
    modify("a", async () => ({ data: {} }));
    modify("a", (object) => {
      // @ts-expect-error no such field
      object.daata = {};
    });
    // @ts-expect-error another kind
    modify("a", () => ({ spec: {} }));
    expectTypeOf(modify("a", () => {})).resolves.toEqualTypeOf<Live<ConfigMap>>();
  });

  test("with createIfMissing, the object to change need not be live", () => {
    configMaps().modify(
      "a",
      (object) => {
        expectTypeOf(object).toEqualTypeOf<ConfigMap>();
      },
      { createIfMissing: {} },
    );
    // @ts-expect-error another kind
    configMaps().modify("a", () => {}, { createIfMissing: { spec: {} } });
  });

  test("exists only for subresources that can be read and written", () => {
    deployments().status.modify("a", (object) => {
      expectTypeOf(object).toEqualTypeOf<Live<Deployment>>();
    });
    deployments().scale.modify("a", (scale) => {
      expectTypeOf(scale).toEqualTypeOf<Scale>();
    });
    client.resource(CertificateSigningRequest).approval.modify("a", (request) => {
      expectTypeOf(request).toEqualTypeOf<Live<CertificateSigningRequest>>();
    });
    widgets().status.modify("a", () => {});
    // @ts-expect-error nothing to make
    deployments().status.modify("a", () => {}, { createIfMissing: {} });
    // @ts-expect-error an eviction can only be created
    client.resource(Pod, "prod").eviction.modify;
    // @ts-expect-error a token can only be created
    client.resource(ServiceAccount, "prod").token.modify;
    // @ts-expect-error finalize can only be written
    client.resource(Namespace).finalize.modify;
  });
});

describe("patches", () => {
  test("UPD6: a bare object is not a patch", () => {
    // @ts-expect-error which kind of patch?
    configMaps().patch("a", { data: { k: "v" } });
    // @ts-expect-error which kind of patch?
    configMaps().patch("a", [{ op: "remove", path: "/data" }]);
  });

  test("UPD11: a kind that is not built in takes no strategic patch", () => {
    widgets().patch("a", mergePatch({ spec: null }));
    widgets().patch("a", jsonPatch([]));
    // @ts-expect-error not built in
    widgets().patch("a", strategicPatch({}));
    // @ts-expect-error not built in
    widgets().status.patch("a", strategicPatch({}));
    deployments().patch("a", strategicPatch({}));
  });

  test("between takes two objects of one kind", () => {
    const live = {} as Live<Deployment>;
    const wanted = {} as Deployment;
    expectTypeOf(jsonPatch.between(live, wanted)).resolves.toEqualTypeOf<Patch<"json">>();
    expectTypeOf(mergePatch.between(live, wanted)).resolves.toEqualTypeOf<Patch<"merge">>();
    expectTypeOf(strategicPatch.between(live, wanted)).resolves.toEqualTypeOf<Patch<"strategic">>();
    // @ts-expect-error what strategic and merge patches cannot have
    void mergePatch.between(live, wanted, { testValues: true });
  });
});

describe("deletes", () => {
  test("DEL7: the unsafe option excludes all others", () => {
    const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true } as const;
    configMaps().delete("a", unsafe);
    configMaps().delete("a", { ...unsafe, encoding: "json" });
    // @ts-expect-error not with a grace period
    configMaps().delete("a", { ...unsafe, gracePeriodSeconds: 0 });
    // @ts-expect-error not with preconditions
    configMaps().delete("a", { ...unsafe, preconditions: { uid: "u" } });
    // @ts-expect-error not with a policy
    configMaps().delete("a", { ...unsafe, propagationPolicy: "Orphan" });
    // @ts-expect-error not as a dry run
    configMaps().delete("a", { ...unsafe, dryRun: "All" });
    // @ts-expect-error true or not at all
    configMaps().delete("a", { ignoreStoreReadErrorWithClusterBreakingPotential: false });
  });

  test("DEL10: a deleteCollection does not take the unsafe option", () => {
    // @ts-expect-error one by one
    configMaps().deleteCollection({ ignoreStoreReadErrorWithClusterBreakingPotential: true });
  });
});

describe("server-side apply", () => {
  test("SSA39: kinds that represent an operation have no apply", () => {
    // @ts-expect-error can only be created
    client.resource(SelfSubjectAccessReview).apply;
  });

  test("an extracted part can be changed and applied", async () => {
    const part = await extract({} as Live<Deployment>, "m");
    part.spec = { ...part.spec, replicas: 3 };
    deployments().apply(part);
    deployments().status.apply("a", part);
    widgets().apply(await extract(await widgets().get("a"), "m"));
  });
});

test("create takes the number of names to try", () => {
  configMaps().create({ metadata: { generateName: "a-" } }, { maxNameTries: 3 });
  // @ts-expect-error an update makes up no name
  configMaps().update({}, { maxNameTries: 3 });
});
