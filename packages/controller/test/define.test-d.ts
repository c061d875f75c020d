import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Secret, Service } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expectTypeOf, test } from "vitest";

test("CR36: a reconciler can name only kinds that its controller declares", () => {
  defineController(Deployment, {
    owns: [Service],
    watches: [
      { kind: Secret, by: (web) => [web.metadata.name] },
      { kind: ConfigMap, map: (config) => [`${config.data?.["of"]}`] },
    ],
    reasons: ["Started"],
    async reconcile(web, run) {
      expectTypeOf(web.spec?.replicas).toEqualTypeOf<number | undefined>();
      const secret = run.get(Secret, "x");
      expectTypeOf(secret?.data).toEqualTypeOf<Record<string, string> | undefined>();
      run.events.normal(web, "Started", "it runs");
      // @ts-expect-error: not a reason of this controller
      run.events.normal(web, "Begun", "it runs");
      await run.apply(Service, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
      // @ts-expect-error: not declared
      run.get(defineOther, "x");
      return { status: { replicas: 3 }, requeueAfterMs: 1_000 };
    },
  });
  // @ts-expect-error: a misspelt option
  defineController(Deployment, { reconcile() {}, concurency: 2 });
  // @ts-expect-error: no reconcile
  defineController(Deployment, {});
  // @ts-expect-error: a number is no outcome
  defineController(Deployment, { reconcile: () => 3 });
});

declare const defineOther: typeof import("@typekube/api/core/v1").Node;
