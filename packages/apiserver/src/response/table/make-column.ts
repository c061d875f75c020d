import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sinceText } from "./age.js";
import type { ColumnCells, SharedColumn } from "./own-cells.js";

/** Describes a column, and returns its cell for an object. */
export function column(description: string, cell: TableColumn["cell"]): ColumnCells {
  return { description, cell };
}

/** Cells of the columns that look the same for all kinds. */
export const sharedCells: Readonly<Record<SharedColumn, ColumnCells>> = {
  Name: column("Name of the object.", ({ metadata }) => mapOf(metadata)["name"] ?? ""),
  Age: column("Time since the object was created.", ageOf),
  "Created At": column(
    "Creation time of the object.",
    ({ metadata }) =>
      // A bookmark has no creation time.
      mapOf(metadata)["creationTimestamp"] ?? null,
  ),
};

/** Name of the object. */
export const nameColumn: TableColumn = {
  ...sharedCells.Name,
  name: "Name",
  type: "string",
  format: "name",
  priority: 0,
};

function ageOf({ metadata }: JsonObject, now: number): string {
  return sinceText(mapOf(metadata)["creationTimestamp"], now);
}
