import type { KindStrategy } from "../../resources/kind-strategy.js";
import { deviceClassColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind DeviceClass. */
export const deviceClassStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
  columns: deviceClassColumns,
};
