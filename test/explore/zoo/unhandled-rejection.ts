import { mergePatch } from "typekube";
import { animal } from "./animal.js";
import { inDefault, onEachChange, untilEnd } from "./plain-operator.js";
import { createShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const common = { load: [shopDefinition], steps: { "create a shop": createShop("tea") } };

const ready = mergePatch({ status: { phase: "Ready" } });

/** Starts a write for each new shop, and does not wait for it. */
export const unhandledRejection = animal({
  bug: "nobody awaits the promise of a write",
  source: "https://github.com/kubernetes-client/javascript/issues/447",
  kinds: ["unhandled rejection"],
  by: ["lose", "refuse"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      client.informer(Shop, inDefault).onChange({
        add: ({ metadata }) => {
          void shopsOf(client).status.patch(metadata.name, ready);
        },
      });
      await untilEnd(context);
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      await onEachChange(context, [shops], async () => {
        for (const { metadata, status } of shops.list()) {
          if (status?.phase !== "Ready") {
            await shopsOf(client).status.patch(metadata.name, ready);
          }
        }
      });
    },
  },
});
