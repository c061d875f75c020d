import { mergePatch } from "typekube";
import { StatefulSet } from "typekube/api/apps/v1";
import { PersistentVolumeClaim } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { claimFor, podSpec } from "./pods.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const common = {
  load: [shopDefinition],
  steps: {
    "create a shop with 10 Gi": createShop("tea", { size: "10Gi" }),
    "give it 15 Gi": changeShop("tea", { size: "15Gi" }),
  },
};

const sized = (size: string) => ({ annotations: { "example.com/size": size } });
const sizeOf = (object: { metadata: { annotations?: Record<string, string> | undefined } }) =>
  object.metadata.annotations?.["example.com/size"];

const setFor = (name: string, size: string) => {
  const labels = { shop: name };
  return {
    metadata: { name, ...sized(size) },
    spec: {
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  };
};

/** Resizes the claim of a StatefulSet when the StatefulSet is small, which a crash makes it forget. */
export const halfResized = animal({
  bug: "what tells that work is left is deleted first",
  source: "https://github.com/rabbitmq/cluster-operator/issues/782",
  kinds: ["another state"],
  by: ["crash"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [StatefulSet, PersistentVolumeClaim],
        async reconcile({ metadata: { name }, spec }, run) {
          const size = String(spec?.["size"]);
          const current = run.get(StatefulSet, name);
          if (run.get(PersistentVolumeClaim, name) === undefined) {
            const { metadata, ...claim } = claimFor(name, name);
            const as = { ...metadata, ...sized(size) };
            await run.create(PersistentVolumeClaim, { metadata: as, ...claim });
          }
          if (current !== undefined && sizeOf(current) === size) {
            return;
          }
          if (current !== undefined) {
            await run.delete(StatefulSet, name);
            await run.patch(PersistentVolumeClaim, name, mergePatch({ metadata: sized(size) }));
          }
          await run.create(StatefulSet, setFor(name, size));
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [StatefulSet, PersistentVolumeClaim],
        async reconcile({ metadata: { name }, spec }, run) {
          const size = String(spec?.["size"]);
          const claim = run.get(PersistentVolumeClaim, name);
          if (claim === undefined) {
            const { metadata, ...rest } = claimFor(name, name);
            const as = { ...metadata, ...sized(size) };
            await run.create(PersistentVolumeClaim, { metadata: as, ...rest });
          } else if (sizeOf(claim) !== size) {
            await run.patch(PersistentVolumeClaim, name, mergePatch({ metadata: sized(size) }));
          }
          const current = run.get(StatefulSet, name);
          if (current !== undefined && sizeOf(current) === size) {
            return;
          }
          if (current !== undefined) {
            await run.delete(StatefulSet, name);
          }
          await run.create(StatefulSet, setFor(name, size));
        },
      }),
  },
});
