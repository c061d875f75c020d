import type { KubeObject } from "@typekube/api";
import {
  assertRoundTrip,
  type ConversionOptions,
  type Converters,
  conversion,
  createWebhook,
  type WebhookObserver,
} from "@typekube/controller";
import { describe, expect, test } from "vitest";
import { Shop } from "../shop.js";
import { post, reviewOf } from "./requests.js";

interface ShopV1beta1 extends KubeObject {
  spec?: { domain?: string; image?: string };
}

const converters: Converters<Shop> = {
  hub: "v1",
  v1beta1: {
    toHub({ spec: { domain, ...spec } = {}, ...shop }: ShopV1beta1) {
      return { ...shop, spec: { ...spec, ...(domain === undefined ? {} : { host: domain }) } };
    },
    fromHub({ spec: { host, ...spec } = {}, ...shop }) {
      return { ...shop, spec: { ...spec, ...(host === undefined ? {} : { domain: host }) } };
    },
  },
  v1alpha1: {
    toHub: (shop) => {
      if ((shop as ShopV1beta1).spec?.image === "broken") {
        throw new Error("cannot read the image");
      }
      return shop;
    },
    fromHub: (shop) => shop,
  },
};

const shopAt = (version: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: "Shop",
  metadata: { name: "tea", namespace: "prod", uid: "u1", ...metadata },
  spec,
});

async function convert(
  objects: readonly unknown[],
  desired: string,
  {
    observer,
    with: own = converters,
    ...options
  }: ConversionOptions & {
    readonly observer?: WebhookObserver;
    readonly with?: Converters<Shop>;
  } = {},
) {
  const handler = conversion(Shop, own, options);
  const webhook = createWebhook([handler], { onError: () => {}, observer });
  const reply = await post(webhook, "/convert", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "c1", desiredAPIVersion: `example.com/${desired}`, objects },
  });
  expect(reply.status).toBe(200);
  return reviewOf(reply) as {
    readonly uid: string;
    readonly convertedObjects: KubeObject[];
    readonly result: { readonly status: string; readonly message?: string };
  };
}

describe("conversion", () => {
  test("CC1, CC5: converts mixed versions by way of the hub, in order", async () => {
    const objects = [
      shopAt("v1", { host: "a" }, { name: "a" }),
      shopAt("v1alpha1", { host: "b" }, { name: "b" }),
      shopAt("v1beta1", { domain: "c" }, { name: "c" }),
    ];
    const { uid, convertedObjects, result } = await convert(objects, "v1beta1");
    expect([uid, result]).toEqual(["c1", { status: "Success" }]);
    expect(convertedObjects).toEqual(
      ["a", "b", "c"].map((name) => shopAt("v1beta1", { domain: name }, { name })),
    );
  });

  test.each(["name", "namespace", "uid"])(
    "CC2: a converter that changes metadata.%s fails",
    async (field) => {
      const changing: Converters<Shop> = {
        hub: "v1",
        v1beta1: {
          toHub: (shop) => ({ ...shop, metadata: { ...shop.metadata, [field]: "other" } }),
          fromHub: (shop) => shop,
        },
      };
      const { result } = await convert([shopAt("v1beta1")], "v1", { with: changing });
      expect(result).toMatchObject({
        status: "Failure",
        message: expect.stringContaining(`changed metadata.${field}`),
      });
    },
  );

  test("CC2: a converter that changes the kind fails", async () => {
    const changing: Converters<Shop> = {
      hub: "v1",
      v1beta1: { toHub: (shop) => ({ ...shop, kind: "Store" }), fromHub: (shop) => shop },
    };
    const { result } = await convert([shopAt("v1beta1")], "v1", { with: changing });
    expect(result.message).toContain("changed kind to Store");
  });

  test("CC3: of the metadata only labels and annotations change, and assertRoundTrip reports others", async () => {
    const changing: Converters<Shop> = {
      hub: "v1",
      v1beta1: {
        toHub(shop) {
          const metadata = { ...shop.metadata, labels: { from: "v1beta1" }, finalizers: ["x/y"] };
          return { ...shop, metadata };
        },
        fromHub: (shop) => shop,
      },
    };
    const { convertedObjects } = await convert([shopAt("v1beta1")], "v1", { with: changing });
    expect(convertedObjects).toEqual([shopAt("v1", {}, { labels: { from: "v1beta1" } })]);
    expect(() => assertRoundTrip(conversion(Shop, changing), [shopAt("v1beta1")])).toThrow(
      "changed metadata.finalizers",
    );
  });

  test("CC3: a converter that changes its argument in place changes no metadata either", async () => {
    const changing: Converters<Shop> = {
      hub: "v1",
      v1beta1: {
        toHub(shop) {
          Object.assign(shop.metadata ?? {}, { finalizers: ["x/y"] });
          return shop;
        },
        fromHub: (shop) => shop,
      },
    };
    const { convertedObjects } = await convert([shopAt("v1beta1")], "v1", { with: changing });
    expect(convertedObjects).toEqual([shopAt("v1")]);
  });

  test.each([[undefined], [null]])(
    "CC4: metadata that is %s comes back as {}",
    async (metadata) => {
      const object = { apiVersion: "example.com/v1beta1", kind: "Shop", metadata, spec: {} };
      const { convertedObjects } = await convert([object, object], "v1");
      expect(convertedObjects.map((one) => one.metadata)).toEqual([{}, {}]);
    },
  );

  test("CC5: a hub of another version and half a pair are refused", () => {
    const half = { hub: "v1", v1beta1: { toHub: (shop: KubeObject) => shop } };
    // @ts-expect-error: fromHub is missing
    expect(() => conversion(Shop, half)).toThrow("must have toHub and fromHub");
    expect(() => conversion(Shop, { hub: "v2" })).toThrow("not the version of example.com/v1");
  });

  test("CC6: one failure fails the whole review, with index, name and cause, and is counted", async () => {
    const objects = Array.from({ length: 500 }, (_, at) =>
      shopAt("v1alpha1", { image: at === 321 ? "broken" : "fine" }, { name: `shop-${at}` }),
    );
    const failures: unknown[] = [];
    const { convertedObjects, result } = await convert(objects, "v1", {
      observer: { onConversionFailure: ({ kept }) => failures.push(kept) },
    });
    expect([convertedObjects, failures]).toEqual([[], [false]]);
    expect(result.message).toBe(
      "objects[321], Shop prod/shop-321, example.com/v1alpha1 to example.com/v1: cannot read the image",
    );
  });

  test("CC6: a version or kind without a converter is a failure with its name", async () => {
    const { result } = await convert([shopAt("v3")], "v1");
    expect(result.message).toContain("Shop has no converter for v3: it has v1, v1beta1, v1alpha1");
    const other = await convert([{ ...shopAt("v1beta1"), kind: "Store" }], "v1");
    expect(other.result.message).toContain("no conversion is defined for example.com/Store");
  });

  test("CC7: annotate keeps the original, and restores it on the way back, also when fields were pruned", async () => {
    const failures: unknown[] = [];
    const options = {
      onConversionError: "annotate",
      observer: { onConversionFailure: ({ kept }: { kept: boolean }) => failures.push(kept) },
    } as const;
    const original = shopAt("v1alpha1", { image: "broken", size: 3 });
    const { convertedObjects, result } = await convert([original], "v1", options);
    expect([result.status, failures]).toEqual(["Success", [true]]);
    const [kept] = convertedObjects;
    expect(kept).toMatchObject({ apiVersion: "example.com/v1", spec: { image: "broken" } });
    const pruned = { ...kept, spec: { image: "broken" } };
    const back = await convert([pruned], "v1alpha1", options);
    expect(back.convertedObjects).toEqual([original]);
  });

  test("CC7: an object that was edited in the other version is not replaced by the original", async () => {
    const options = { onConversionError: "annotate" } as const;
    const { convertedObjects } = await convert(
      [shopAt("v1alpha1", { image: "broken" })],
      "v1",
      options,
    );
    const edited = { ...convertedObjects[0], spec: { image: "fixed" } };
    const back = await convert([edited], "v1alpha1", options);
    expect(back.convertedObjects[0]).toMatchObject({ spec: { image: "fixed" } });
  });

  test("CC8: assertRoundTrip accepts converters that keep everything and names what is lost", () => {
    const samples = [shopAt("v1", { host: "a" }), shopAt("v1beta1", { domain: "b" })];
    assertRoundTrip(conversion(Shop, converters), samples);
    const losing: Converters<Shop> = {
      hub: "v1",
      v1beta1: { toHub: (shop) => shop, fromHub: (shop) => ({ ...shop, spec: {} }) },
    };
    expect(() => assertRoundTrip(conversion(Shop, losing), samples)).toThrow(
      "sample 0 does not survive example.com/v1 to example.com/v1beta1 and back: remove /spec/host",
    );
  });

  test("CC1: 10,000 objects are converted in order and let the event loop turn in between", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const objects = Array.from({ length: 10_000 }, (_, at) =>
      shopAt("v1beta1", { domain: `${at}`, image: "x".repeat(500) }, { name: `shop-${at}` }),
    );
    const { convertedObjects } = await convert(objects, "v1");
    clearImmediate(timer);
    expect(convertedObjects.map((one) => one.metadata?.name)).toEqual(
      objects.map((one) => one.metadata.name),
    );
    expect(turns).toBeGreaterThan(1);
  });
});
