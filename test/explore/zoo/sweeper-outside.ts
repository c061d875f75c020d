import { ConfigMap } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { leaderElection } from "./election.js";
import { sleep, untilDone } from "./plain-operator.js";
import { createShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const everyMs = 60_000;

const common = {
  load: [shopDefinition],
  manager: { leaderElection },
  steps: { "create a shop": createShop("tea") },
};

const report = (count: number) => ({
  metadata: { name: "shop-report" },
  data: { shops: String(count) },
});

/** Starts a loop beside its controllers, which no lost leadership ends. */
export const sweeperOutside = animal({
  bug: "a background loop belongs to the process, not to its leadership",
  source: "https://github.com/kyverno/kyverno/pull/14984",
  kinds: ["writes after leadership was lost"],
  by: ["pause"],
  buggy: {
    ...common,
    operator: (context) => {
      const { client, signal } = context;
      const countShops = async () => {
        while (!signal.aborted) {
          await untilDone(context, async () => {
            const { items } = await shopsOf(client).list();
            const options = { fieldManager: "report", force: true };
            await client.resource(ConfigMap, "default").apply(report(items.length), options);
          });
          await sleep(context, everyMs);
        }
      };
      void countShops();
      return defineController(Shop, {
        async reconcile() {
          return { status: { phase: "Ready" } };
        },
      });
    },
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [ConfigMap],
        async reconcile(_, run) {
          const shops = await run.live.list(Shop);
          await run.createOrUpdate(ConfigMap, "shop-report", (draft) => {
            draft.data = report(shops.length).data;
          });
          return { status: { phase: "Ready" }, requeueAfterMs: everyMs };
        },
      }),
  },
});
