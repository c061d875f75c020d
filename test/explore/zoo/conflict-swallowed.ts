import { isConflict } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: {
    "create a shop": createShop("tea", { image: "shop:1" }),
    "change its image": changeShop("tea", { image: "shop:2" }),
  },
};

/** Takes a conflict for somebody else's change, which will cause another run. */
export const conflictSwallowed = animal({
  bug: "a conflict ends the run as if it had succeeded",
  source: "https://github.com/superedge/superedge/pull/479",
  kinds: ["another state"],
  by: ["refuse"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        owns: [ConfigMap],
        async reconcile({ metadata: { name }, spec }, run) {
          const data = { image: spec?.image ?? "" };
          const config = run.get(ConfigMap, name);
          if (config === undefined) {
            await run.create(ConfigMap, { metadata: { name }, data });
          } else if (config.data?.["image"] !== data.image) {
            try {
              await run.update(ConfigMap, { ...config, data });
            } catch (error) {
              if (!isConflict(error)) {
                throw error;
              }
            }
          }
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        owns: [ConfigMap],
        async reconcile({ metadata: { name }, spec }, run) {
          const data = { image: spec?.image ?? "" };
          const config = run.get(ConfigMap, name);
          if (config === undefined) {
            await run.create(ConfigMap, { metadata: { name }, data });
          } else if (config.data?.["image"] !== data.image) {
            await run.update(ConfigMap, { ...config, data });
          }
        },
      }),
  },
});
