import { Pod } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { podSpec } from "./pods.js";
import { createShop, Shop, shopDefinition } from "./shop.js";

const common = { load: [shopDefinition], steps: { "create a shop": createShop("tea") } };

/** Creates a pod with a generated name, and remembers it afterwards. */
export const generatedNames = animal({
  bug: "the child has a generated name that is written down after it was created",
  source: "https://github.com/scylladb/scylla-operator/issues/2492",
  kinds: ["created twice"],
  by: ["crash", "lose"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile(shop, run) {
          if (shop.status?.["pod"] !== undefined) {
            return undefined;
          }
          const labels = { shop: shop.metadata.name };
          const pod = await run.create(Pod, {
            metadata: { generateName: "shop-", labels },
            spec: podSpec,
          });
          return { status: { pod: pod.metadata.name } };
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        owns: [Pod],
        async reconcile(shop, run) {
          const { name } = shop.metadata;
          const pod = await run.apply(Pod, {
            metadata: { name: `${name}-pod`, labels: { shop: name } },
            spec: podSpec,
          });
          return { status: { pod: pod.metadata.name } };
        },
      }),
  },
});
