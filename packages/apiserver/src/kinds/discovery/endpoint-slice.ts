import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateEndpointSlice } from "../fields/endpoints.js";
import { endpointSliceColumns } from "../networking/service-columns.js";

/** Strategy of the kind EndpointSlice. */
export const endpointSliceStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors, old) => void errors.push(...validateEndpointSlice(object, old)),
  immutable: [{ path: "addressType", shows: "null" }],
  columns: endpointSliceColumns,
};
