import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podGroupColumns } from "./scheduling-columns.js";

/** Strategy of the kind PodGroup. */
export const podGroupStrategy: KindStrategy = {
  columns: podGroupColumns,
};
