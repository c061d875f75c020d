import { admission } from "typekube/controller";
import { Shop } from "./shop.js";

/** Replicas above which a shop rolls out slowly. */
const manyReplicas = 50;

/** The webhooks of shops: they fill in what is missing, and deny what the controller could not do. */
export const shopHooks = admission(Shop, {
  mutate(draft) {
    draft.spec.replicas ??= 1;
  },
  validate({ object, oldObject, deny, warn }) {
    if ((object.spec.replicas ?? 1) > manyReplicas) {
      warn(`more than ${manyReplicas} replicas are slow to roll out`);
    }
    // The controller would leave the old name behind.
    if (oldObject !== undefined && oldObject.spec.host !== object.spec.host) {
      return deny("the host of a shop cannot change", { field: "spec.host" });
    }
    return undefined;
  },
});
