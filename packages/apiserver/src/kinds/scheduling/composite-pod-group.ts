import type { KindStrategy } from "../../resources/kind-strategy.js";
import { compositePodGroupColumns } from "./scheduling-columns.js";

/** Strategy of the kind CompositePodGroup. */
export const compositePodGroupStrategy: KindStrategy = {
  columns: compositePodGroupColumns,
};
