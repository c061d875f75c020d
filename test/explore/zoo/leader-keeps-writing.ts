import type { OperatorContext } from "@typekube/apiserver/testing";
import { Lease } from "typekube/api/coordination/v1";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { leaderElection } from "./election.js";
import { sleep, untilDone } from "./plain-operator.js";
import { createShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const common = { load: [shopDefinition], steps: { "create a shop": createShop("tea") } };

const { name, namespace, leaseDurationMs, retryMs } = leaderElection;

const priceList = (shop: string) => ({ metadata: { name: shop }, data: { tea: "3" } });

/** Takes the Lease, or renews it. Returns whether this process holds it. */
async function holdLease({ client, clock, identity }: OperatorContext): Promise<boolean> {
  const leases = client.resource(Lease, namespace);
  const renewTime = new Date(clock.now()).toISOString().replace("Z", "000Z");
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: leaseDurationMs / 1_000,
    renewTime,
  };
  const lease = await leases.find(name);
  if (lease === undefined) {
    await leases.create({ metadata: { name }, spec });
    return true;
  }
  const age = clock.now() - Date.parse(String(lease.spec?.renewTime));
  if (lease.spec?.holderIdentity !== identity && age < leaseDurationMs) {
    return false;
  }
  await leases.update({ ...lease, spec });
  return true;
}

/** Waits until it leads, and never stops leading. */
export const leaderKeepsWriting = animal({
  bug: "the Lease is not checked again once the work has begun",
  source: "https://github.com/cilium/cilium/pull/42920",
  kinds: ["writes after leadership was lost"],
  by: ["pause"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client, signal } = context;
      let leads = false;
      while (!leads) {
        await untilDone(context, async () => {
          leads = await holdLease(context);
        });
        await sleep(context, leads ? 0 : retryMs);
      }
      const renew = async () => {
        while (!signal.aborted) {
          await sleep(context, retryMs);
          await holdLease(context).catch(() => false);
        }
      };
      void renew();
      while (!signal.aborted) {
        await untilDone(context, async () => {
          for (const { metadata } of (await shopsOf(client).list()).items) {
            const options = { fieldManager: "shops", force: true };
            await client.resource(ConfigMap, "default").apply(priceList(metadata.name), options);
          }
        });
        await sleep(context, 30_000);
      }
    },
  },
  fixed: {
    ...common,
    manager: { leaderElection },
    operator: () =>
      defineController(Shop, {
        owns: [ConfigMap],
        async reconcile({ metadata }, run) {
          await run.apply(ConfigMap, priceList(metadata.name));
          return { requeueAfterMs: 30_000 };
        },
      }),
  },
});
