import type { KindStrategy } from "../../resources/kind-strategy.js";
import { endpointSliceColumns } from "../networking/service-columns.js";
import { validateEndpointSlice } from "./endpoint-slice/validate-endpoint-slice.js";

/** Strategy of the kind EndpointSlice. */
export const endpointSliceStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateEndpointSlice,
  immutable: [{ path: "addressType", shows: "null" }],
  columns: endpointSliceColumns,
};
