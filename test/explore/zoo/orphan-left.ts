import type { OperatorContext } from "@typekube/apiserver/testing";
import { isAlreadyExists, isNotFound, type Live } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { controllerReference } from "typekube/controller";
import { animal } from "./animal.js";
import { inDefault, onEachChange, untilDone, untilEnd } from "./plain-operator.js";
import { createShop, deleteShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: { "create a shop": createShop("tea"), "delete it": deleteShop("tea") },
};

const configsOf = ({ client }: OperatorContext) => client.resource(ConfigMap, "default");

async function createConfig(context: OperatorContext, shop: Live<Shop>): Promise<void> {
  const { name } = shop.metadata;
  const ownerReferences = [controllerReference(shop)];
  try {
    await configsOf(context).create({ metadata: { name, ownerReferences } });
  } catch (error) {
    if (!isAlreadyExists(error)) {
      throw error;
    }
  }
}

async function deleteConfig(context: OperatorContext, name: string): Promise<void> {
  try {
    await configsOf(context).delete(name);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}

/** Deletes the child of a shop itself, when it sees the deletion. Its cluster collects no garbage. */
export const orphanLeft = animal({
  bug: "a shop that is deleted while the operator is down leaves its child behind",
  source: "https://github.com/outscale/cluster-api-provider-outscale/issues/917",
  kinds: ["orphans left"],
  by: ["crash"],
  buggy: {
    ...common,
    operator: async (context) => {
      context.client.informer(Shop, inDefault).onChange({
        add: (shop) => untilDone(context, () => createConfig(context, shop)),
        delete: ({ metadata }) => untilDone(context, () => deleteConfig(context, metadata.name)),
      });
      await untilEnd(context);
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      const configs = client.informer(ConfigMap, inDefault);
      await onEachChange(context, [shops, configs], async () => {
        const { items } = await shopsOf(client).list();
        const uids = new Set(items.map(({ metadata }) => metadata.uid));
        for (const shop of shops.list()) {
          if (configs.get(shop.metadata.name) === undefined && uids.has(shop.metadata.uid)) {
            await createConfig(context, shop);
          }
        }
        for (const { metadata } of configs.list()) {
          if (!uids.has(metadata.ownerReferences?.[0]?.uid ?? "")) {
            await deleteConfig(context, metadata.name);
          }
        }
      });
    },
  },
});
