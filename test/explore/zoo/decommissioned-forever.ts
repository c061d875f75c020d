import { mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { podFor } from "./pods.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: {
    "create a shop with two replicas": createShop("tea", { replicas: 2 }),
    "scale it to one": changeShop("tea", { replicas: 1 }),
    "scale it to two": changeShop("tea", { replicas: 2 }),
  },
};

const state = (text: string) => mergePatch({ metadata: { annotations: { state: text } } });
const byName = <T extends { metadata: { name: string } }>(pods: readonly T[]): T[] =>
  [...pods].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));

/** Decommissions a replica before it deletes it, and forgets it when the user changes their mind in between. */
export const decommissionedForever = animal({
  bug: "a replica that leaves is not taken back when it is wanted again",
  source: "https://github.com/instaclustr/cassandra-operator/issues/410",
  kinds: ["another state"],
  by: ["crash", "early"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile({ metadata: { name }, spec }, run) {
          const replicas = spec?.replicas ?? 1;
          const pods = byName(run.list(Pod, { labelSelector: { shop: name } }));
          for (let index = pods.length; index < replicas; index++) {
            await run.create(Pod, podFor(name, `${name}-${index}`));
          }
          const last = pods.at(-1);
          if (last === undefined || pods.length <= replicas) {
            return undefined;
          }
          if (last.metadata.annotations?.["state"] !== "leaving") {
            await run.patch(Pod, last.metadata.name, state("leaving"));
          } else {
            await run.delete(Pod, last.metadata.name);
          }
          return { requeueAfterMs: 100 };
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile({ metadata: { name }, spec }, run) {
          const replicas = spec?.replicas ?? 1;
          const pods = byName(await run.live.list(Pod, { labelSelector: { shop: name } }));
          for (let index = pods.length; index < replicas; index++) {
            await run.create(Pod, podFor(name, `${name}-${index}`));
          }
          for (const { metadata } of pods.slice(0, replicas)) {
            if (metadata.annotations?.["state"] === "leaving") {
              const annotations = { state: null };
              await run.patch(Pod, metadata.name, mergePatch({ metadata: { annotations } }));
            }
          }
          const last = pods.at(-1);
          if (last === undefined || pods.length <= replicas) {
            return undefined;
          }
          if (last.metadata.annotations?.["state"] !== "leaving") {
            await run.patch(Pod, last.metadata.name, state("leaving"));
          } else {
            await run.delete(Pod, last.metadata.name);
          }
          return { requeueAfterMs: 100 };
        },
      }),
  },
});
