import type { OperatorContext } from "@typekube/apiserver/testing";
import { type Client, isAlreadyExists, mergePatch } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange, untilDone } from "./plain-operator.js";
import { claimFor, claimsOf } from "./pods.js";
import { createShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const settingsOf = (client: Client) => client.resource(ConfigMap, "default");

const common = {
  load: [
    shopDefinition,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", namespace: "default" },
      data: { log: "info" },
    },
  ],
  server: { controllers: { storageProtection: true } },
  steps: {
    "create a shop": createShop("tea"),
    "its volume is bound": (client: Client) =>
      claimsOf(client).patch("tea", mergePatch({ metadata: { annotations: { bound: "yes" } } })),
    "change the settings of the operator": (client: Client) =>
      settingsOf(client).patch("settings", mergePatch({ data: { log: "debug" } })),
  },
};

/** Creates claims of shops until the settings change. Then the process ends, to start with the new ones. */
async function createClaims(context: OperatorContext): Promise<void> {
  const { client } = context;
  const shops = client.informer(Shop, inDefault);
  const settings = client.informer(ConfigMap, inDefault);
  const isChanged = new Promise<void>((resolve) => {
    settings.onChange({ update: () => resolve() });
  });
  const create = () =>
    onEachChange(context, [shops], async () => {
      for (const { metadata } of shops.list()) {
        await claimsOf(client)
          .create(claimFor(metadata.name, metadata.name))
          .catch((error) => {
            if (!isAlreadyExists(error)) {
              throw error;
            }
          });
      }
    });
  await Promise.race([isChanged, create()]);
}

/** Deletes the claims of shops that were deleted while no process ran. */
async function deleteLeftovers(
  context: OperatorContext,
  consistency: "any" | "latest",
): Promise<void> {
  const { client } = context;
  await untilDone(context, async () => {
    const claims = await claimsOf(client).list();
    const shops = await shopsOf(client).list({ consistency });
    const names = new Set(shops.items.map(({ metadata }) => metadata.name));
    for (const { metadata } of claims.items) {
      if (!names.has(metadata.name)) {
        await claimsOf(client).delete(metadata.name);
      }
    }
  });
}

/** Reads shops from the cache of a server when it starts, which may be behind, and deletes what is newer. */
export const timeTravel = animal({
  bug: "a list at resourceVersion 0 after a restart goes back in time",
  source: "https://github.com/kubernetes/kubernetes/issues/59848",
  kinds: ["another state"],
  by: ["stale"],
  buggy: {
    ...common,
    operator: async (context) => {
      await deleteLeftovers(context, "any");
      await createClaims(context);
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      await deleteLeftovers(context, "latest");
      await createClaims(context);
    },
  },
});
