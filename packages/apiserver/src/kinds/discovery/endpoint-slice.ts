import { stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { firstFew } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateEndpointSlice } from "./endpoint-slice/validate-endpoint-slice.js";

/** Strategy of the kind EndpointSlice. */
export const endpointSliceStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateEndpointSlice,
  immutable: [{ path: "addressType", shows: "null" }],
  columns: columnsFor("endpointslices.discovery.k8s.io", {
    AddressType: column("Family of the addresses.", ({ addressType }) => addressType),
    Ports: column("Ports of every endpoint.", ({ ports }) =>
      objectsOf(ports).length === 0
        ? "<unset>"
        : firstFew(objectsOf(ports).map(({ port }) => String(port ?? "*"))),
    ),
    Endpoints: column("Addresses of the endpoints.", ({ endpoints }) => {
      const addresses = objectsOf(endpoints).flatMap(({ addresses: of }) => stringsOf(of));
      return addresses.length === 0 ? "<unset>" : firstFew(addresses);
    }),
  }),
};
