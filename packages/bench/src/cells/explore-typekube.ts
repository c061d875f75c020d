import { explore } from "@typekube/apiserver/testing";
import { runCell } from "../cell.js";
import { singleFaults } from "../explore-tasks.js";
import { shopScenario } from "../shop-scenario.js";

/** Searches the failures of a shop's operator: each fault alone, and with several up to a number of runs. */
await runCell(
  async ({ count }) => {
    // Loads what a search needs.
    await explore(shopScenario, { runs: 20, faults: ["crash"] });
    return async () => {
      const found = await explore(shopScenario, { runs: count - singleFaults });
      found.assertPassed();
      return found.runs;
    };
  },
  (runs) => runs,
);
