import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { firstFew, none } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { addressWarnings } from "../fields/address-warnings.js";
import { validateEndpoints } from "./endpoints/validate-endpoints.js";

/** Strategy of the kind Endpoints. */
export const endpointsStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: validateEndpoints,
  warnings: endpointsWarnings,
  columns: columnsFor("endpoints", {
    Endpoints: column("Ready addresses and ports.", endpointsText),
  }),
};

function endpointsWarnings({ subsets }: ApiObject): string[] {
  return objectsOf(subsets).flatMap((subset, at) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      objectsOf(subset[list]).flatMap(({ ip }, ipAt) =>
        addressWarnings(`subsets[${at}].${list}[${ipAt}].ip`, String(ip)),
      ),
    ),
  );
}

function endpointsText({ subsets }: JsonObject): string {
  const parts = objectsOf(subsets).flatMap(({ addresses, ports }) => {
    const ips = objectsOf(addresses).map(({ ip }) => String(ip));
    const numbers = objectsOf(ports).map(({ port }) => String(port));
    return numbers.length === 0
      ? ips
      : numbers.flatMap((port) => ips.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`));
  });
  return objectsOf(subsets).length === 0 ? none : firstFew(parts);
}
