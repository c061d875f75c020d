import { explore } from "@typekube/apiserver/testing";
import { runCell } from "../cell.js";
import { shopScenario } from "../shop-scenario.js";

/** Searches the failures of a shop's operator: each fault alone, and as many runs with several. */
await runCell(
  async ({ count }) => {
    // Loads what a search needs.
    await explore(shopScenario, { runs: 20, faults: ["crash"] });
    return async () => {
      const found = await explore(shopScenario, { runs: count });
      found.assertPassed();
      // Beside these runs are those with one fault, whose number follows from the operator.
      return Math.min(count, found.runs);
    };
  },
  (runs) => runs,
);
