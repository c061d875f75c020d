import type { KindStrategy } from "../../resources/kind-strategy.js";
import { csiStorageCapacityColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind CSIStorageCapacity. */
export const csiStorageCapacityStrategy: KindStrategy = {
  columns: csiStorageCapacityColumns,
};
