import type { Scenario } from "@typekube/apiserver/testing";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { createShop, Shop, shopDefinition } from "./shop.js";

const common: Pick<Scenario, "converged" | "invariants" | "load" | "steps"> = {
  load: [shopDefinition],
  steps: { "create a shop": createShop("tea"), "create another one": createShop("coffee") },
  invariants: {
    "no port is given twice": (world) => {
      const ports = world.list(Shop).flatMap(({ status }) => status?.["port"] ?? []);
      return new Set(ports).size === ports.length;
    },
  },
  converged: (world) => world.list(Shop).every(({ status }) => status?.["port"] !== undefined),
};

const firstFree = (used: ReadonlySet<unknown>) => {
  let port = 30_000;
  while (used.has(port)) {
    port += 1;
  }
  return port;
};

/** Releases a port when the write that gives it away fails, which may have had its effect all the same. */
export const portGivenTwice = animal({
  bug: "a write without a response counts as not done",
  source: "https://github.com/kubernetes-sigs/cloud-provider-azure/issues/4556",
  kinds: ["invariant violated"],
  by: ["lose"],
  buggy: {
    ...common,
    operator: () => {
      let used: Set<unknown> | undefined;
      return defineController(Shop, {
        async reconcile(shop, run) {
          used ??= new Set(run.list(Shop).map(({ status }) => status?.["port"]));
          if (shop.status?.["port"] !== undefined) {
            return;
          }
          const port = firstFree(used);
          used.add(port);
          try {
            await run.status.set({ port });
          } catch (error) {
            used.delete(port);
            throw error;
          }
        },
      });
    },
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        async reconcile(_, run) {
          const shops = await run.live.list(Shop);
          const own = shops.find(({ metadata }) => metadata.name === run.name);
          if (own !== undefined && own.status?.["port"] === undefined) {
            const port = firstFree(new Set(shops.map(({ status }) => status?.["port"])));
            await run.status.set({ port });
          }
        },
      }),
  },
});
