import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { DnsZone } from "./external-systems.js";
import { createShop, deleteShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  externals: { dns: () => new DnsZone() },
  steps: {
    "create a shop": createShop("tea", { host: "tea.example.com" }),
    "delete it": deleteShop("tea"),
  },
};

/** Lets an object go although its DNS record could not be removed. */
export const finalizerTooEarly = animal<{ dns: DnsZone }>({
  bug: "the finalizer is removed although the clean-up failed",
  source: "https://github.com/Kuadrant/dns-operator/issues/106",
  kinds: ["another state"],
  by: ["lose", "refuse"],
  buggy: {
    ...common,
    operator: ({ externals: { dns } }) =>
      defineController(Shop, {
        async reconcile(shop) {
          await dns.set(shop.spec?.host ?? "", "192.0.2.1");
        },
        async finalize(shop) {
          try {
            await dns.remove(shop.spec?.host ?? "");
          } catch {
            // The record may be gone already.
          }
        },
      }),
  },
  fixed: {
    ...common,
    operator: ({ externals: { dns } }) =>
      defineController(Shop, {
        async reconcile(shop) {
          await dns.set(shop.spec?.host ?? "", "192.0.2.1");
        },
        async finalize(shop) {
          await dns.remove(shop.spec?.host ?? "");
        },
      }),
  },
});
