import { Pod } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import type { Animal } from "./animal.js";
import { Shop, shopDefinition } from "./shop.js";

const steps: Animal["buggy"]["steps"] = {
  "create a shop": (client) =>
    client.resource(Shop, "default").create({ metadata: { name: "tea" } }),
};

const podOf = (name: string) => ({
  metadata: { labels: { shop: name } },
  spec: { containers: [{ name: "main", image: "shop:1" }] },
});

/** Creates a pod with a generated name, and remembers it afterwards. */
export const generatedNames: Animal = {
  bug: "the child has a generated name that is written down after it was created",
  source:
    "Sieve, table 4 (intermediate states); https://github.com/kubernetes/kubernetes/issues/67161",
  kinds: ["created twice", "another state"],
  buggy: {
    load: [shopDefinition],
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile(shop, run) {
          if (shop.status?.["pod"] !== undefined) {
            return undefined;
          }
          const pod = await run.create(Pod, {
            ...podOf(shop.metadata.name),
            metadata: { generateName: "shop-", labels: { shop: shop.metadata.name } },
          });
          return { status: { pod: pod.metadata.name } };
        },
      }),
    steps,
  },
  fixed: {
    load: [shopDefinition],
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile(shop, run) {
          await run.apply(Pod, {
            ...podOf(shop.metadata.name),
            metadata: { name: `${shop.metadata.name}-pod`, labels: { shop: shop.metadata.name } },
          });
        },
      }),
    steps,
  },
};
