import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { sinceText } from "../../response/table/age.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind DeviceTaintRule. */
export const deviceTaintRuleStrategy: KindStrategy = {
  columns: columnsFor("devicetaintrules.resource.k8s.io", {
    Key: column("Key of the taint.", (one) => mapOf(specOf(one)["taint"])["key"]),
    Value: column("Value of the taint.", (one) => mapOf(specOf(one)["taint"])["value"] ?? ""),
    Effect: column("Effect of the taint.", (one) => mapOf(specOf(one)["taint"])["effect"]),
    TimeAdded: column("Time since the taint was added.", (one, now) =>
      sinceText(mapOf(specOf(one)["taint"])["timeAdded"], now),
    ),
  }),
};
