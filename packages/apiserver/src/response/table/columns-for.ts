import { tableColumns } from "../../generated/table-columns.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sharedCells } from "./make-column.js";
import type { CellsOf, ColumnCells, DefinedResource } from "./own-cells.js";

type Definition = Pick<TableColumn, "name" | "type"> &
  Partial<Pick<TableColumn, "format" | "priority">>;

/** Returns the columns that upstream defines for a kind, with the given cells and those that all kinds share. */
export function columnsFor<R extends DefinedResource>(
  resource: R,
  cells: CellsOf<R>,
): readonly TableColumn[] {
  return withCells(tableColumns[resource], cells) ?? [];
}

/** Returns the columns of a kind that shows only what all kinds share; `undefined` for other kinds. */
export function sharedColumnsOf(resource: string): readonly TableColumn[] | undefined {
  return shared.get(resource);
}

const shared: ReadonlyMap<string, readonly TableColumn[] | undefined> = new Map(
  Object.entries(tableColumns).map(([resource, definitions]) => [
    resource,
    withCells(definitions, {}),
  ]),
);

/** Completes the definitions of columns; `undefined` if one has no cell. */
function withCells(
  definitions: readonly Definition[],
  own: Readonly<Record<string, ColumnCells>>,
): readonly TableColumn[] | undefined {
  const cells: Readonly<Record<string, ColumnCells>> = { ...sharedCells, ...own };
  const columns = definitions.flatMap((definition) => {
    const shown = cells[definition.name];
    return shown === undefined ? [] : [{ format: "", priority: 0, ...definition, ...shown }];
  });
  return columns.length === definitions.length ? columns : undefined;
}
