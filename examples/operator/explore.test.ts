import { readFile } from "node:fs/promises";
import { runPods } from "@typekube/apiserver/controllers";
import { explore, type Scenario } from "@typekube/apiserver/testing";
import { mergePatch } from "typekube";
import { Secret } from "typekube/api/core/v1";
import { expect, test } from "vitest";
import { memoryDns } from "./dns.js";
import { Shop } from "./shop.js";
import { shopController } from "./shops.js";

const definition = await readFile(new URL("manifests/crd.yaml", import.meta.url), "utf8");

/** A shop whose Secret comes late, whose image changes, and that is deleted. */
const shopScenario: Scenario<{ dns: ReturnType<typeof memoryDns> }> = {
  name: "the shop operator",
  load: definition,
  server: { controllers: true, stages: runPods({ readyAfterMs: 0 }) },
  externals: { dns: memoryDns },
  operator: ({ externals }) => shopController(externals.dns),
  steps: {
    "create a shop": (client) =>
      client.resource(Shop, "default").create({
        metadata: { name: "tea" },
        spec: { image: "tea:1", host: "tea.example.com", credentials: "db" },
      }),
    "create its Secret": (client) =>
      client.resource(Secret, "default").create({ metadata: { name: "db" } }),
    "change its image": (client) =>
      client.resource(Shop, "default").patch("tea", mergePatch({ spec: { image: "tea:2" } })),
    "delete it": (client) => client.resource(Shop, "default").delete("tea"),
  },
};

test("the operator passes whatever goes wrong around it", async () => {
  const found = await explore(shopScenario, { runs: 20, maxFindings: 3 });
  console.log(found.text(), found.elapsedMs / found.runs);
  expect(found.findings).toEqual([]);
});
