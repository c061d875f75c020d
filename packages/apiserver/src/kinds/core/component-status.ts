import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind ComponentStatus. */
export const componentStatusStrategy: KindStrategy = {
  columns: columnsFor("componentstatuses", {
    Status: column("Health of the component.", () => "Unknown"),
    Message: column("Message of the component.", () => ""),
    Error: column("Error of the component.", () => ""),
  }),
};
