import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { policy, workload } from "./scheduling-cells.js";

/** Strategy of the kind CompositePodGroup. */
export const compositePodGroupStrategy: KindStrategy = {
  columns: columnsFor("compositepodgroups.scheduling.k8s.io", {
    Policy: policy,
    Workload: workload,
  }),
};
