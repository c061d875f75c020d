import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { orNone } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind FlowSchema. */
export const flowSchemaStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: columnsFor("flowschemas.flowcontrol.apiserver.k8s.io", {
    PriorityLevel: column(
      "Priority level of the requests.",
      (one) => mapOf(specOf(one)["priorityLevelConfiguration"])["name"],
    ),
    MatchingPrecedence: column(
      "Precedence; the lowest is matched first.",
      (one) => specOf(one)["matchingPrecedence"],
    ),
    DistinguisherMethod: column("Method that distinguishes flows.", (one) =>
      orNone(mapOf(specOf(one)["distinguisherMethod"])["type"]),
    ),
    MissingPL: column("True if the priority level is missing.", ({ status }) => {
      const dangling = objectsOf(mapOf(status)["conditions"]).find(
        ({ type }) => type === "Dangling",
      );
      return dangling?.["status"] ?? "?";
    }),
  }),
  idle: { why: "handles all requests at once and queues none" },
};
