import { numberedRule, smallObject } from "../cel-rules.js";
import { runCell } from "../cell.js";
import { startWidgets } from "../custom-widgets.js";
import { memoryInUse } from "../measurement.js";

/** Updates before those that are measured: they fill what a server keeps in any case, such as its history of 1,000 events. */
const warmUp = 1_500;

/** First number of the rules before those that are measured, so that no rule comes twice. */
const warmUpNumbers = 1_000_000;

/** Replaces the rule of a definition by another one each time, and creates an object for which it is evaluated. */
await runCell(
  async ({ count }) => {
    const { widgets, setRules } = await startWidgets([numberedRule(0)]);
    const update = async (index: number) => {
      await setRules([numberedRule(index)]);
      await widgets.create({ metadata: { generateName: "w-" }, ...smallObject }, { dryRun: "All" });
    };
    for (let index = 1; index <= warmUp; index++) {
      await update(warmUpNumbers + index);
    }
    const before = await memoryInUse();
    return async () => {
      for (let index = 1; index <= count; index++) {
        await update(index);
      }
      return { growthMb: Math.max(0, (await memoryInUse()) - before) };
    };
  },
  () => Number(process.argv[3]),
  ({ growthMb }) => ({ growthMb }),
);
