import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { policy, workload } from "./scheduling-cells.js";

/** Columns of the kind CompositePodGroup. */
const compositePodGroupColumns: readonly TableColumn[] = columnsFor(
  "compositepodgroups.scheduling.k8s.io",
  { Policy: policy, Workload: workload },
);

/** Strategy of the kind CompositePodGroup. */
export const compositePodGroupStrategy: KindStrategy = {
  columns: compositePodGroupColumns,
};
