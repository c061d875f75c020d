import type { KindStrategy } from "../../resources/kind-strategy.js";
import { endpointSliceColumns } from "../table/service-columns.js";
import { validateEndpointSlice } from "../validation/endpoints.js";

/** Strategy of the kind EndpointSlice. */
export const endpointSliceStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors, old) => void errors.push(...validateEndpointSlice(object, old)),
  immutable: [{ path: "addressType", shows: "null" }],
  columns: endpointSliceColumns,
};
