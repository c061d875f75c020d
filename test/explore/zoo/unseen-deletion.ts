import { type Client, isNotFound, KubeError } from "typekube";
import { PersistentVolumeClaim, Pod } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange, sleep, untilDone } from "./plain-operator.js";
import { claimFor, claimsOf, podFor, podsOf } from "./pods.js";

const common = {
  server: { controllers: { storageProtection: true } },
  steps: {
    "create two pods with claims": async (client: Client) => {
      for (const name of ["tea-0", "tea-1"]) {
        await podsOf(client).create(podFor("tea", name));
        await claimsOf(client).create(claimFor("tea", name));
      }
    },
    "delete a pod": (client: Client) => podsOf(client).delete("tea-1"),
  },
};

async function deleteClaim(client: Client, name: string): Promise<void> {
  try {
    await claimsOf(client).delete(name);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}

/** Deletes the claim of a pod when the watch shows the deletion of the pod. */
export const unseenDeletion = animal({
  bug: "a deletion that falls between a watch and the next list is never seen",
  source: "https://github.com/instaclustr/cassandra-operator/issues/398",
  kinds: ["another state"],
  by: ["crash", "miss"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client, signal } = context;
      while (!signal.aborted) {
        try {
          const { metadata } = await podsOf(client).list();
          const from = { resourceVersion: metadata.resourceVersion ?? "" };
          for await (const event of podsOf(client).watch(from)) {
            if (event.type === "DELETED") {
              const { name } = event.object.metadata;
              await untilDone(context, () => deleteClaim(client, name));
            }
          }
        } catch {
          await sleep(context, 1_000);
        }
      }
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client } = context;
      const pods = client.informer(Pod, inDefault);
      const claims = client.informer(PersistentVolumeClaim, inDefault);
      await onEachChange(context, [pods, claims], async () => {
        for (const { metadata } of claims.list()) {
          const { name } = metadata;
          if (pods.get(name) === undefined) {
            if (await podsOf(client).find(name)) {
              throw new KubeError("InvalidState", `the cache does not have the pod ${name} yet`);
            }
            await deleteClaim(client, name);
          }
        }
      });
    },
  },
});
