import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Columns of the kind ComponentStatus. */
const componentStatusColumns: readonly TableColumn[] = columnsFor("componentstatuses", {
  Status: column("Health of the component.", () => "Unknown"),
  Message: column("Message of the component.", () => ""),
  Error: column("Error of the component.", () => ""),
});

/** Strategy of the kind ComponentStatus. */
export const componentStatusStrategy: KindStrategy = {
  columns: componentStatusColumns,
};
