import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind ResourceClaim. */
export const resourceClaimStrategy: KindStrategy = {
  rules: { returnDeleted: true, statusMetadata: "none" },
  columns: columnsFor("resourceclaims.resource.k8s.io", {
    State: column("State of the claim.", claimState),
  }),
  idle: { why: "does not allocate devices" },
};

function claimState({ metadata, status }: JsonObject): string {
  const { reservedFor, allocation } = mapOf(status);
  const words = [
    ...(mapOf(metadata)["deletionTimestamp"] === undefined ? [] : ["deleted"]),
    ...(allocation === undefined
      ? ["pending"]
      : ["allocated", ...(objectsOf(reservedFor).length > 0 ? ["reserved"] : [])]),
  ];
  return words.join(",");
}
