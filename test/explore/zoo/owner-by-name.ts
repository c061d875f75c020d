import { Pod } from "typekube/api/core/v1";
import { controllerReference, defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { podSpec } from "./pods.js";
import { createShop, deleteShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  server: { controllers: { garbageCollection: true } },
  steps: {
    "create a shop": createShop("tea"),
    "delete it": deleteShop("tea"),
    "create it again": createShop("tea"),
  },
};

/** Takes the pod of an earlier shop with the same name for its own. The garbage collector does not. */
export const ownerByName = animal({
  bug: "a child is recognised by the name of its owner, not by the uid",
  source: "https://github.com/rabbitmq/cluster-operator/issues/648",
  kinds: ["another state"],
  by: ["lag"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile(shop, run) {
          const { name } = shop.metadata;
          if (run.get(Pod, name) === undefined) {
            const ownerReferences = [controllerReference(shop)];
            await run.create(Pod, { metadata: { name, ownerReferences }, spec: podSpec });
          }
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        owns: [{ kind: Pod, anyOwner: true }],
        async reconcile(shop, run) {
          const { name, uid } = shop.metadata;
          const pod = run.get(Pod, name);
          if (pod?.metadata.ownerReferences?.some((owner) => owner.uid === uid) === false) {
            return run.notReady("WaitingForGarbageCollection");
          }
          if (pod === undefined) {
            const ownerReferences = [controllerReference(shop)];
            await run.create(Pod, { metadata: { name, ownerReferences }, spec: podSpec });
          }
          return undefined;
        },
      }),
  },
});
