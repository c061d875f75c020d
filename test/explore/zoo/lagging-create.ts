import { isAlreadyExists } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange } from "./plain-operator.js";
import { podFor, podSpec, podsOf } from "./pods.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: {
    "create a shop": createShop("tea"),
    "change its image": changeShop("tea", { image: "shop:2" }),
  },
};

/** Creates a pod because its cache does not have the one that it created a moment ago. */
export const laggingCreate = animal({
  bug: "the cache of children is behind the operator's own writes",
  source: "https://github.com/kubernetes-sigs/kubebuilder/issues/1381",
  kinds: ["created twice"],
  by: ["lag"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      const pods = client.informer(Pod, inDefault);
      await onEachChange(context, [shops, pods], async () => {
        for (const { metadata } of shops.list()) {
          const labels = { shop: metadata.name };
          if (pods.list({ labelSelector: labels }).length === 0) {
            const generateName = `${metadata.name}-`;
            await podsOf(client).create({ metadata: { generateName, labels }, spec: podSpec });
          }
        }
      });
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      const pods = client.informer(Pod, inDefault);
      await onEachChange(context, [shops, pods], async () => {
        for (const { metadata } of shops.list()) {
          const pod = podFor(metadata.name, `${metadata.name}-0`);
          if (pods.get(pod.metadata.name) === undefined) {
            await podsOf(client)
              .create(pod)
              .catch((error) => {
                if (!isAlreadyExists(error)) {
                  throw error;
                }
              });
          }
        }
      });
    },
  },
});
