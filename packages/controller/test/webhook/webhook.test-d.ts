import type { KubeObject, Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { admission, conversion, createWebhook, review, startManager } from "@typekube/controller";
import { expectTypeOf, test } from "vitest";
import { Shop } from "../shop.js";

test("CA9: the operations decide which objects a review has", () => {
  admission(Shop, {
    mutate(draft, { operation }) {
      draft.spec = { host: draft.metadata.name ?? "" };
      expectTypeOf(operation).toEqualTypeOf<"CREATE" | "UPDATE">();
    },
    validate({ object, oldObject }) {
      expectTypeOf(object.spec?.host).toEqualTypeOf<string | undefined>();
      expectTypeOf(oldObject).toEqualTypeOf<Live<Shop> | undefined>();
    },
  });
  admission(Shop, {
    operations: ["DELETE"],
    validate({ object, oldObject }) {
      expectTypeOf(object).toEqualTypeOf<undefined>();
      expectTypeOf(oldObject).toEqualTypeOf<Live<Shop>>();
    },
  });
  admission(Shop, {
    operations: ["UPDATE", "DELETE"],
    validate(request) {
      // @ts-expect-error: a delete has no object
      request.object.spec;
      if (request.operation === "UPDATE") {
        expectTypeOf(request.object.metadata.name).toEqualTypeOf<string | undefined>();
      }
    },
  });
});

test("CA9: a subresource has the type of its body", () => {
  admission(Deployment, {
    subresource: "scale",
    operations: ["UPDATE"],
    validate({ object }) {
      expectTypeOf(object.spec?.replicas).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: a Scale has no template
      object.spec?.template;
    },
  });
});

test("CA12, CA14: a webhook with side effects in dry runs, or a misspelt option, does not compile", () => {
  const validate = () => undefined;
  // @ts-expect-error: servers reject dry runs for it
  admission(Shop, { validate, sideEffects: "Some" });
  // @ts-expect-error: a misspelt option
  admission(Shop, { validate, failurePolicie: "Fail" });
  // @ts-expect-error: neither a denial nor nothing
  admission(Shop, { validate: () => 3 });
});

test("CC5: half a pair of converters does not compile", () => {
  // @ts-expect-error: fromHub is missing
  conversion(Shop, { hub: "v1", v1beta1: { toHub: (shop: KubeObject) => shop } });
  // @ts-expect-error: toHub must return a Shop
  conversion(Shop, { hub: "v1", v1beta1: { toHub: () => 3, fromHub: (shop) => shop } });
  conversion(Shop, {
    hub: "v1",
    v1beta1: {
      toHub: (shop) => shop,
      fromHub(shop) {
        expectTypeOf(shop).toEqualTypeOf<Shop>();
        return shop;
      },
    },
  });
});

test("CA31, CA32: handlers of any kind are served together and reviewed alone", () => {
  const pods = admission(Pod, { dangerous: true, validate: () => undefined });
  const shops = admission(Shop, { operations: ["DELETE"], validate: () => undefined });
  const converted = conversion(Shop, { hub: "v1" });
  createWebhook([pods, shops, converted]);
  startManager({} as never, {
    webhooks: { handlers: [pods, shops, converted], url: "https://127.0.0.1:9443" },
  }).catch(() => {});
  expectTypeOf(review(pods, { object: {} })).resolves.toHaveProperty("object");
});
