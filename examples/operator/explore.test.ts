import { readFile } from "node:fs/promises";
import { runPods } from "@typekube/apiserver/controllers";
import { explore, type Scenario, type UserStep } from "@typekube/apiserver/testing";
import { mergePatch } from "typekube";
import { Secret } from "typekube/api/core/v1";
import { test } from "vitest";
import { memoryDns } from "./dns.js";
import { Shop } from "./shop.js";
import { shopController } from "./shops.js";

type Outside = { readonly dns: ReturnType<typeof memoryDns> };

/** Runs with several faults, after all runs with one. */
const runs = Number(process.env["TYPEKUBE_EXPLORE_SEEDS"] ?? 10);
const definition = await readFile(new URL("manifests/crd.yaml", import.meta.url), "utf8");

const create: UserStep<Outside> = (client) =>
  client.resource(Shop, "default").create({
    metadata: { name: "tea" },
    spec: { image: "tea:1", host: "tea.example.com", credentials: "db" },
  });
const createSecret: UserStep<Outside> = (client) =>
  client.resource(Secret, "default").create({ metadata: { name: "db" } });

/** The operator in a cluster whose pods run, with names in memory. */
const scenario = (name: string, steps: Scenario<Outside>["steps"]): Scenario<Outside> => ({
  name,
  load: definition,
  server: { controllers: true, stages: runPods({ readyAfterMs: 0 }) },
  externals: { dns: memoryDns },
  operator: ({ externals }) => shopController(externals.dns),
  steps,
});

test.each([
  scenario("a shop whose Secret comes late, and whose image changes", {
    "create a shop": create,
    "create its Secret": createSecret,
    "change its image": (client) =>
      client.resource(Shop, "default").patch("tea", mergePatch({ spec: { image: "tea:2" } })),
  }),
  scenario("a shop that is deleted, and its name with it", {
    "create its Secret": createSecret,
    "create a shop": create,
    "delete it": (client) => client.resource(Shop, "default").delete("tea"),
  }),
])(
  "$name: passes whatever goes wrong around the operator",
  {
    timeout: 240_000 + runs * 2_000,
  },
  async (one) => {
    const found = await explore(one, { runs });
    console.log(`${one.name}: ${found.runs} runs in ${Math.round(found.elapsedMs / 1_000)} s`);
    found.assertPassed();
  },
);
