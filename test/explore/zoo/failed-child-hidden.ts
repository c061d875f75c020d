import { mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange, untilDone, untilEnd } from "./plain-operator.js";
import { podFor, podsOf, reportPhase } from "./pods.js";
import { createShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: {
    "create a shop": createShop("tea"),
    "its pod is created": (client: Parameters<typeof podsOf>[0]) =>
      podsOf(client).create(podFor("tea", "tea")),
    "the pod runs": reportPhase("tea", "Running"),
    "the pod fails": reportPhase("tea", "Failed"),
  },
};

const phaseOf = (pod: { status?: { phase?: string | undefined } | undefined } | undefined) =>
  pod?.status?.phase === "Running"
    ? "Ready"
    : pod?.status?.phase === "Failed"
      ? "Degraded"
      : "Pending";

/** Reports that a pod failed when it sees it fail: not when it has failed already. */
export const failedChildHidden = animal({
  bug: "the status follows transitions of the child, some of which nobody sees",
  source: "https://github.com/dragonflydb/dragonfly-operator/issues/589",
  kinds: ["another state"],
  by: ["crash", "miss"],
  buggy: {
    ...common,
    operator: async (context) => {
      const setPhase = (name: string, phase: string) =>
        untilDone(context, () =>
          shopsOf(context.client).status.patch(name, mergePatch({ status: { phase } })),
        );
      context.client.informer(Pod, inDefault).onChange({
        update: async ({ metadata, status }, previous) => {
          if (previous.status?.phase === "Pending" && status?.phase === "Running") {
            await setPhase(metadata.name, "Ready");
          } else if (previous.status?.phase === "Running" && status?.phase === "Failed") {
            await setPhase(metadata.name, "Degraded");
          }
        },
      });
      await untilEnd(context);
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      const pods = client.informer(Pod, inDefault);
      await onEachChange(context, [shops, pods], async () => {
        for (const shop of shops.list()) {
          const phase = phaseOf(pods.get(shop.metadata.name));
          if (shop.status?.phase !== phase) {
            await shopsOf(client).status.patch(
              shop.metadata.name,
              mergePatch({ status: { phase } }),
            );
          }
        }
      });
    },
  },
});
