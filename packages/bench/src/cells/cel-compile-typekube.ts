import { compiled, numberedRule, schemaOf } from "../cel-rules.js";
import { runCell } from "../cell.js";

/** Rules before those that are measured. */
const warmUp = 50;

/** Reads and compiles schemas with one rule, another rule each time. */
await runCell(
  async ({ count }) => {
    for (let index = 1; index <= warmUp; index++) {
      compiled(schemaOf(numberedRule(-index)));
    }
    return async () =>
      Array.from({ length: count }, (_, index) => compiled(schemaOf(numberedRule(index))));
  },
  (validators) => validators.length,
);
