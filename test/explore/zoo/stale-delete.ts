import { type Client, isNotFound } from "typekube";
import { PersistentVolumeClaim } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange } from "./plain-operator.js";
import { claimFor, claimsOf } from "./pods.js";
import { createShop, deleteShop, Shop, shopDefinition, shopsOf } from "./shop.js";

const withClaim = (name: string) => async (client: Client) => {
  await createShop(name)(client);
  await claimsOf(client).create(claimFor(name, name));
};

const common = {
  load: [shopDefinition],
  server: { controllers: { storageProtection: true } },
  steps: {
    "create a shop with a claim": withClaim("coffee"),
    "delete it": deleteShop("coffee"),
    "create another one with a claim": withClaim("tea"),
  },
};

const shopOf = (claim: { metadata: { labels?: Record<string, string> | undefined } }) =>
  claim.metadata.labels?.["shop"] ?? "";

/** Deletes the claim of a shop that its cache does not have yet. */
export const staleDelete = animal({
  bug: "an object is deleted because a cache lacks its owner",
  source: "https://github.com/instaclustr/cassandra-operator/issues/407",
  kinds: ["another state"],
  by: ["lag"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const shops = client.informer(Shop, inDefault);
      const claims = client.informer(PersistentVolumeClaim, inDefault);
      await onEachChange(context, [shops, claims], async () => {
        for (const claim of claims.list()) {
          if (shops.get(shopOf(claim)) === undefined) {
            await claimsOf(client)
              .delete(claim.metadata.name)
              .catch((error) => {
                if (!isNotFound(error)) {
                  throw error;
                }
              });
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
      const claims = client.informer(PersistentVolumeClaim, inDefault);
      await onEachChange(context, [shops, claims], async () => {
        for (const claim of claims.list()) {
          const name = shopOf(claim);
          if (shops.get(name) === undefined && !(await shopsOf(client).find(name))) {
            const { uid } = claim.metadata;
            // A conflict is tried again: the claim may be another one by then, and the cache will know.
            await claimsOf(client)
              .delete(claim.metadata.name, { preconditions: { uid } })
              .catch((error) => {
                if (!isNotFound(error)) {
                  throw error;
                }
              });
          }
        }
      });
    },
  },
});
