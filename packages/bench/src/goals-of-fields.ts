import type { Goal } from "./goal.js";
import type { Baseline } from "./task.js";

const sync = "informer sync of 50,000 pods";
const smallHeap = "TypeKube protobuf, eight fields, --max-semi-space-size=16";

/** Goals for reads that keep eight fields of each pod, against whole pods without managedFields, and client-go. */
export const goalsOfFields: readonly Goal[] = [
  goal(`${sync}, wall time`, "wallMs", 0.3, "client-go"),
  goal(`${sync}, peak memory`, "maxRssMb", 0.25, "client-go"),
  goal(`${sync}, memory kept`, "keptMb", 0.08, "client-go"),
  goal(`${sync}, CPU of all threads`, "cpuMs", 0.45, "whole objects"),
  {
    ...goal(`${sync} in JSON, CPU of all threads`, "cpuMs", 0.5, "whole objects, JSON"),
    program: "TypeKube JSON, eight fields",
  },
  ...[undefined, smallHeap].map(
    (program): Goal => ({
      ...goal(
        `informer sync of 200,000 pods, peak memory${program ? " with --max-semi-space-size=16" : ""}, MB`,
        "maxRssMb",
        220,
      ),
      task: "fields-sync-200k",
      ...(program === undefined ? {} : { program }),
    }),
  ),
  {
    ...goal("wall time per event through an informer", "wallMs", 1 / 1.6, "whole objects"),
    task: "fields-events",
  },
  {
    ...goal("first list of 10,000 pods, CPU of the main thread", "mainMs", 0.5, "whole objects"),
    task: "fields-list-10k",
  },
];

function goal(what: string, metric: Goal["metric"], most: number, baseline?: Baseline): Goal {
  return {
    what,
    task: "fields-sync-50k",
    program: "TypeKube protobuf, eight fields",
    metric,
    baseline,
    most,
  };
}
