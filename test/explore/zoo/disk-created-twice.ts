import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { Disks } from "./external-systems.js";
import { createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  externals: { disks: () => new Disks() },
  steps: { "create a shop": createShop("tea") },
};

/** Creates a disk again when the response of the first request was lost. */
export const diskCreatedTwice = animal<{ disks: Disks }>({
  bug: "a request that creates something is repeated without a token",
  source: "https://github.com/digitalocean/digitalocean-cloud-controller-manager/issues/103",
  kinds: ["another state"],
  by: ["crash", "lose"],
  buggy: {
    ...common,
    operator: ({ externals: { disks } }) =>
      defineController(Shop, {
        async reconcile(shop) {
          const disk = shop.status?.["disk"] ?? (await disks.create());
          return { status: { disk } };
        },
      }),
  },
  fixed: {
    ...common,
    operator: ({ externals: { disks } }) =>
      defineController(Shop, {
        async reconcile(shop, run) {
          const disk = shop.status?.["disk"] ?? (await disks.create(run.key));
          return { status: { disk } };
        },
      }),
  },
});
