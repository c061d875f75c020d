import { animal } from "./animal.js";
import { DnsZone } from "./external-systems.js";
import { inDefault, onEachChange, untilDone, untilEnd } from "./plain-operator.js";
import { createShop, deleteShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  externals: { dns: () => new DnsZone() },
  steps: {
    "create a shop": createShop("tea", { host: "green.example.com" }),
    "delete it": deleteShop("tea"),
    "create it with another host": createShop("tea", { host: "black.example.com" }),
  },
};

const target = "192.0.2.1";

/** Removes the record of a shop when the shop is deleted, and never looks whether another one is left. */
export const recreatedUnseen = animal<{ dns: DnsZone }>({
  bug: "an object that was deleted and created again unseen looks like one that changed",
  source: "https://github.com/coryodaniel/bonny/issues/72",
  kinds: ["another state"],
  by: ["crash", "miss"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { dns } = context.externals;
      const set = (shop: Shop) => untilDone(context, () => dns.set(shop.spec?.host ?? "", target));
      context.client.informer(Shop, inDefault).onChange({
        add: set,
        update: set,
        delete: (shop) => untilDone(context, () => dns.remove(shop.spec?.host ?? "")),
      });
      await untilEnd(context);
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { dns } = context.externals;
      const shops = context.client.informer(Shop, inDefault);
      await onEachChange(context, [shops], async () => {
        const hosts = new Set(shops.list().map(({ spec }) => spec?.host ?? ""));
        const records = await dns.list();
        for (const host of records.filter((record) => !hosts.has(record))) {
          await dns.remove(host);
        }
        for (const host of hosts) {
          if (!records.includes(host)) {
            await dns.set(host, target);
          }
        }
      });
    },
  },
});
