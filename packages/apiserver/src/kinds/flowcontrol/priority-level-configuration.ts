import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { orNone } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind PriorityLevelConfiguration. */
export const priorityLevelConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: columnsFor("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", {
    Type: column("Exempt or Limited.", (one) => specOf(one)["type"]),
    NominalConcurrencyShares: column("Share of the concurrency.", (one) =>
      orNone(mapOf(specOf(one)["limited"])["nominalConcurrencyShares"]),
    ),
    Queues: column("Number of queues.", (one) => orNone(queuing(one)["queues"])),
    HandSize: column("Queues that one flow may use.", (one) => orNone(queuing(one)["handSize"])),
    QueueLengthLimit: column("Requests that one queue holds.", (one) =>
      orNone(queuing(one)["queueLengthLimit"]),
    ),
  }),
  idle: { why: "handles all requests at once and queues none" },
};

function queuing(level: JsonObject): JsonObject {
  return mapOf(mapOf(mapOf(specOf(level)["limited"])["limitResponse"])["queuing"]);
}
