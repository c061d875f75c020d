import type { KindStrategy } from "../../resources/kind-strategy.js";

/** Strategy of the kind DeviceClass. */
export const deviceClassStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
};
