import { PersistentVolumeClaim } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { claimFor } from "./pods.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  server: { controllers: { storageProtection: true } },
  steps: {
    "create a shop with two replicas": createShop("tea", { replicas: 2 }),
    "scale it to one": changeShop("tea", { replicas: 1 }),
  },
};

const indexOf = (name: string) => Number(name.slice(name.lastIndexOf("-") + 1));

/** Deletes the claims of replicas that are gone, which it knows from a status that it has already overwritten. */
export const claimsLeaked = animal({
  bug: "the status is written before the claims are deleted that only it names",
  source: "https://github.com/indeedeng/rabbitmq-operator/issues/17",
  kinds: ["another state"],
  by: ["crash"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [PersistentVolumeClaim],
        async reconcile(shop, run) {
          const { name } = shop.metadata;
          const replicas = shop.spec?.replicas ?? 1;
          const before = Number(shop.status?.["replicas"] ?? 0);
          for (let index = before; index < replicas; index++) {
            const claim = `${name}-${index}`;
            if (run.get(PersistentVolumeClaim, claim) === undefined) {
              await run.create(PersistentVolumeClaim, claimFor(name, claim));
            }
          }
          await run.status.set({ replicas });
          for (let index = replicas; index < before; index++) {
            await run.delete(PersistentVolumeClaim, `${name}-${index}`);
          }
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [PersistentVolumeClaim],
        async reconcile(shop, run) {
          const { name } = shop.metadata;
          const replicas = shop.spec?.replicas ?? 1;
          const claims = await run.live.list(PersistentVolumeClaim, {
            labelSelector: { shop: name },
          });
          const names = new Set(claims.map(({ metadata }) => metadata.name));
          for (let index = 0; index < replicas; index++) {
            const claim = `${name}-${index}`;
            if (!names.has(claim)) {
              await run.create(PersistentVolumeClaim, claimFor(name, claim));
            }
          }
          for (const claim of names) {
            if (indexOf(claim) >= replicas) {
              await run.delete(PersistentVolumeClaim, claim);
            }
          }
          return { status: { replicas } };
        },
      }),
  },
});
