import { ConfigMap } from "typekube/api/core/v1";
import { expect, test } from "vitest";
import { explore, type Scenario } from "../../src/testing/index.js";

test.each([1, 4, 5, 6, 8, 50])(
  "CT7: an operator that works for %i turns of the event loop before it writes is explored",
  async (turns) => {
    const operator: Scenario["operator"] = async ({ client }) => {
      for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
        if (event.type === "applied" && event.object.metadata.name !== "copy") {
          for (let turn = 0; turn < turns; turn++) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          await client
            .resource(ConfigMap, "default")
            .apply({ metadata: { name: "copy" } }, { fieldManager: "x", force: true });
        }
      }
    };
    const named =
      (name: string): Scenario["steps"][string] =>
      (client) =>
        client.resource(ConfigMap, "default").create({ metadata: { name } });
    const found = await explore(
      { operator, steps: { "create a": named("a"), "create b": named("b") } },
      { runs: 0, faults: [] },
    );
    expect(found.findings, found.text()).toEqual([]);
  },
);
