import { ConfigMap, Secret } from "typekube/api/core/v1";
import { type Controller, controllerReference, defineController } from "typekube/controller";
import { Shop } from "../../../packages/controller/test/shop.js";

/** Returns the name of the child that is applied. */
export function configName(shop: string): string {
  return `${shop}-config`;
}

/**
 * The operator of the storm. Each shop has a ConfigMap, which is applied by its name, and a Secret whose name the server
 * generates: only what the caches and the own writes show keeps the operator from creating a second one.
 */
export function shopOperator(): Controller {
  return defineController(Shop, {
    name: "shops",
    owns: [ConfigMap, Secret],
    prune: false,
    concurrency: 4,
    async reconcile(shop, run) {
      const image = shop.spec?.image ?? "";
      await run.apply(ConfigMap, {
        metadata: { name: configName(run.name) },
        data: { image },
      });
      const secrets = run.list(Secret, { ownedBy: true });
      if (!secrets.some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
        await run.create(Secret, {
          metadata: {
            generateName: `${run.name}-key-`,
            ownerReferences: [controllerReference(shop)],
          },
        });
      }
      return { status: { url: image } };
    },
  }) as unknown as Controller;
}
