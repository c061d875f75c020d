import type { tableColumns } from "../../generated/table-columns.js";
import type { TableColumn } from "../../resources/table-column.js";

type Tables = typeof tableColumns;
type ColumnName<R extends keyof Tables> = Tables[R][number]["name"];

/** Resources whose columns upstream defines. Both groups of Events share one entry. */
export type DefinedResource = keyof Tables;

/** Columns that look the same for all kinds. */
export type SharedColumn = "Age" | "Created At" | "Name";

/** How a column shows an object, and the description of the column. */
export type ColumnCells = Pick<TableColumn, "cell" | "description">;

/** The cells of the columns of a resource that are not shared. */
export type CellsOf<R extends DefinedResource> = Readonly<
  Record<Exclude<ColumnName<R>, SharedColumn>, ColumnCells>
>;
