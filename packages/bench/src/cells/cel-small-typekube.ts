import { evaluations } from "../cel-evaluations.js";
import { smallObject, smallRule } from "../cel-rules.js";
import { runCell } from "../cell.js";

await runCell(
  async ({ count }) => evaluations(smallRule, smallObject, count),
  (done) => done,
);
