import { evaluations } from "../cel-evaluations.js";
import { listObject, listRule } from "../cel-rules.js";
import { runCell } from "../cell.js";

await runCell(
  async ({ count }) => evaluations(listRule, listObject(), count),
  (done) => done,
);
