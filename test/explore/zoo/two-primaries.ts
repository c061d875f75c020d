import type { Scenario } from "@typekube/apiserver/testing";
import { mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { podFor } from "./pods.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

const members = ["tea-a", "tea-b"];

const common: Pick<Scenario, "invariants" | "load" | "steps"> = {
  load: [
    shopDefinition,
    ...members.map((name) => ({ apiVersion: "v1", kind: "Pod", ...podFor("tea", name) })),
  ],
  steps: {
    "create a shop with the primary tea-a": createShop("tea", { primary: "tea-a" }),
    "make tea-b the primary": changeShop("tea", { primary: "tea-b" }),
  },
  invariants: {
    "never two primaries": (world) =>
      world.list(Pod).filter(({ metadata }) => metadata?.labels?.["role"] === "primary").length < 2,
  },
};

const role = (name: string) => mergePatch({ metadata: { labels: { role: name } } });

/** Promotes a member while the other one is being demoted. */
export const twoPrimaries = animal({
  bug: "the promotion does not wait for the demotion",
  source: "https://github.com/bitnami/charts/issues/21614",
  kinds: ["invariant violated"],
  by: ["lose", "refuse"],
  buggy: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile({ spec }, run) {
          const primary = String(spec?.["primary"]);
          const others = members.filter((name) => name !== primary);
          await Promise.all([
            ...others.map((name) => run.patch(Pod, name, role("replica"))),
            run.patch(Pod, primary, role("primary")),
          ]);
        },
      }),
  },
  fixed: {
    ...common,
    operator: () =>
      defineController(Shop, {
        reads: [Pod],
        async reconcile({ spec }, run) {
          const primary = String(spec?.["primary"]);
          const others = members.filter((name) => name !== primary);
          await Promise.all(others.map((name) => run.patch(Pod, name, role("replica"))));
          await run.patch(Pod, primary, role("primary"));
        },
      }),
  },
});
