import { numberedRule, smallObject } from "../cel-rules.js";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";
import { startWidgets } from "../custom-widgets.js";

const concurrency = 16;

/** Creates custom resources whose definition has as many rules as the variant says. */
await runCell(
  async ({ count, variant }) => {
    const rules = Array.from({ length: Number(variant) }, (_, index) => numberedRule(index));
    const { widgets } = await startWidgets(rules);
    let made = 0;
    const create = () => widgets.create({ metadata: { name: `w-${made++}` }, ...smallObject });
    await concurrently(warmUpCalls(count), concurrency, create);
    return () => concurrently(count, concurrency, create);
  },
  (created) => created,
);
