import type { tableColumns } from "../generated/table-columns.js";
import type { TableColumn } from "./table-column.js";

type Tables = typeof tableColumns;
type ColumnName<R extends keyof Tables> = Tables[R][number]["name"];

/** Columns that look the same for all kinds. */
export type SharedColumn = "Age" | "Created At" | "Name";

/** Resources of alpha versions that are shown with name and creation time only. */
export type PlainResource =
  | "evictionrequests.lifecycle.k8s.io"
  | "evictions.lifecycle.k8s.io"
  | "resourcepoolstatusrequests.resource.k8s.io"
  | "storageversions.internal.apiserver.k8s.io";

/** Resources with columns of their own. Both groups of Events share one entry. */
type OwnResource = {
  readonly [R in keyof Tables]: ColumnName<R> extends SharedColumn ? never : R;
}[Exclude<keyof Tables, PlainResource | "events.events.k8s.io">];

/** How a column shows an object, and the description of the column. */
export type ColumnCells = Pick<TableColumn, "cell" | "description">;

/** The cells of the columns that are not shared, by resource and column. */
export type OwnCells = {
  readonly [R in OwnResource]: Readonly<Record<Exclude<ColumnName<R>, SharedColumn>, ColumnCells>>;
};
