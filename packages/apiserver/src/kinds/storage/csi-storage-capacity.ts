import type { KindStrategy } from "../../resources/kind-strategy.js";

/** Strategy of the kind CSIStorageCapacity. */
export const csiStorageCapacityStrategy: KindStrategy = {};
